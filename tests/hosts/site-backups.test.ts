/** Backups of sites on a real host that Gatehouse installed: what is in them, what a restore brings back, and what it refuses. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SiteBackup, SiteJobLine } from '@/lib/service/machines/sites'
import { proveSiteBackups } from '../service/conformance/site-backups'
import { newSite } from '../service/conformance/sites'
import { get } from '../service/support/caller'
import { createSite, deleteSite } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { backUp as backUpEverything } from './nightly-backup'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import {
  backingUp,
  creation,
  databasePassword,
  endOf,
  removeBackups,
  restoring,
  siteNamed,
  tracesOf,
  upload,
  visit,
} from './sites/site-job'

const chance = openChance()
const folder = '/var/backups/gatehouse-sites'

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    for (const site of [one, two]) expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    // A failed beforeAll has no host.
    await admitted?.[Symbol.asyncDispose]()
  })

  const run = async (command: string, stdin = ''): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command, { stdin, timeoutMs: 120_000 })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const sql = (statements: string, database = one.name) => run(`mariadb -N ${database}`, statements)
  const newestOf = async (site = one): Promise<SiteBackup> => {
    const [newest] = await admitted.machine.sites.listBackups(site)
    if (!newest) throw new Error('There is no backup.')
    return newest
  }
  const backUp = async (site = one): Promise<string> => {
    expect(await endOf(admitted.machine, backingUp(site))).toMatchObject({ status: 'done' })
    return (await newestOf(site)).name
  }
  const restore = (name: string, backupFirst = false): Promise<SiteJobLine | undefined> =>
    endOf(admitted.machine, restoring(one, name, backupFirst))

  test('backups and downloads of sites on a host pass the same conformance tests as on the sandbox', async () => {
    await using service = await openHttpService(admitted)
    await proveSiteBackups(service, { ...service, key: await service.createKey('stranger') })
    await run(removeBackups)
  })

  const page = (version: string) => `<?php
    $db = new mysqli('localhost', '${one.name}', base64_decode('${Buffer.from(databasePassword).toString('base64')}'), '${one.name}');
    echo 'files ${version} database ', $db->query('SELECT word FROM state')->fetch_row()[0];`

  /** Everything that a dump has to bring back apart from rows. Their definers were somebody else. */
  const definitions = `
    CREATE TABLE state (id INT PRIMARY KEY AUTO_INCREMENT, word TEXT, bits BLOB); INSERT INTO state VALUES (1, 'old', X'00FF0A27');
    CREATE TABLE parent (id INT PRIMARY KEY); CREATE TABLE child (id INT, FOREIGN KEY (id) REFERENCES parent (id)); INSERT INTO parent VALUES (7);
    CREATE DEFINER = root@localhost VIEW words AS SELECT word FROM state;
    CREATE DEFINER = root@localhost FUNCTION twice (a INT) RETURNS INT DETERMINISTIC RETURN a * 2;
    CREATE DEFINER = root@localhost TRIGGER louder BEFORE INSERT ON state FOR EACH ROW SET NEW.word = UPPER(NEW.word);
    CREATE DEFINER = root@localhost EVENT nightly ON SCHEDULE EVERY 1 DAY DO DELETE FROM state WHERE id < 0`

  const definers = () =>
    sql(`SELECT definer FROM information_schema.views WHERE table_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.routines WHERE routine_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.triggers WHERE trigger_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.events WHERE event_schema = DATABASE()`)

  type Seen = { status: number | undefined; retryAfter: string | undefined; text: string }

  const ask = (): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: admitted.host.ip, path: '/state.php', headers: { host: one.domain }, agent: false }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.once('end', () =>
          resolve({ status: reply.statusCode, retryAfter: reply.headers['retry-after'], text: Buffer.concat(chunks).toString() }),
        )
      })
      asked.once('error', reject)
      asked.end()
    })

  test('a restore brings files and database back at one moment, with definers of the site; visitors see the former, 503, or the restored', async () => {
    const { host } = admitted
    await sql(definitions)
    await upload(host, one, 'state.php', page('old'))
    await run(
      `cd /home/${one.name}/public && runuser -u ${one.name} -- sh -c 'mkdir sub && echo x >"sub/-rf ü" && ln -s sub in && ln -s /etc out'`,
    )
    const name = await backUp()
    await upload(host, one, 'state.php', page('new'))
    await upload(host, one, 'later.txt', 'later')
    await sql(`UPDATE state SET word = 'new'; CREATE TABLE later (a INT); DROP VIEW words; DROP EVENT nightly`)
    expect((await ask()).text).toBe('files new database new')

    const seen: Seen[] = []
    let ended = false
    const watching = (async () => {
      while (!ended) {
        seen.push(await ask().catch(() => ({ status: 0, retryAfter: undefined, text: '' })))
        await delay(20)
      }
    })()
    const last = await restore(name, true)
    ended = true
    await watching
    expect(last).toMatchObject({ status: 'done', answer: `/home/${one.name}/.replaced` })
    const kinds = new Set(seen.map(({ status, text }) => (status === 503 ? '503' : `${status} ${text}`)))
    for (const kind of kinds) expect(['200 files new database new', '503', '200 files old database old']).toContain(kind)
    expect(
      seen.filter(({ status, retryAfter }) => status === 503 && retryAfter !== undefined).every(({ retryAfter }) => retryAfter === '2'),
    ).toBe(true)

    expect((await ask()).text).toBe('files old database old')
    expect(await visit(host, one.domain, '/later.txt')).toMatch(/^404/)
    expect(await visit(host, one.domain, '/in/-rf%20%C3%BC')).toBe('200 x\n')
    expect((await definers()).trim().split('\n')).toEqual(Array.from({ length: 4 }, () => `${one.name}@localhost`))
    expect(
      await sql(`INSERT INTO state (word) VALUES ('x'); SELECT * FROM words; SELECT twice(21), HEX(bits) FROM state WHERE id = 1`),
    ).toBe('old\nX\n42\t00FF0A27\n')
    expect(await sql('INSERT INTO child VALUES (8)').catch(String)).toMatch(/foreign key constraint fails/)
    // The former site is kept, and nobody but root gets in.
    expect(await run(`stat -c '%a %U' /home/${one.name}/.replaced; ls /home/${one.name}/.replaced/public`)).toMatch(
      /^700 root\n.*later\.txt/s,
    )
    expect(await run(`mariadb -N -e 'SELECT word FROM \`gatehouse-kept-${one.name}\`.state'`)).toBe('new\n')
    expect(await run(`mariadb -N -e 'SHOW DATABASES; SELECT user FROM mysql.user'; ls /run/gatehouse-load`)).not.toMatch(/scratch|held/)
    expect((await admitted.machine.sites.listBackups(one)).map(({ reason }) => reason).sort()).toEqual(['manual', 'restore'])
  })

  /** A backup whose archive is changed by a command, in a folder with what it holds. */
  const forge = async (change: string, options = ''): Promise<string> => {
    const { name } = await newestOf(two)
    const forged = `${one.domain}-20200101-000000-manual.tar.zst`
    await run(`rm -rf /root/forged && mkdir /root/forged && cd /root/forged && tar -xf ${folder}/${name} && (${change})
      sed -i 's/^user .*/user '$(id -u ${one.name})'/; s/^group .*/group '$(id -g ${one.name})'/' manifest
      chown -Rh ${one.name}:www-data files
      tar --zstd -cf ${folder}/${forged} --numeric-owner -P ${options} manifest database.sql files`)
    return forged
  }

  /** A command that puts a line near the beginning of the dump. */
  const insert = (line: string): string =>
    `base64 -d <<<${Buffer.from(`${line}\n`).toString('base64')} >line; sed -i '1r line' database.sql; rm line`

  test('security 56: an archive from elsewhere can write to nothing but the site, and no refusal changes anything', async () => {
    await backUp(two)
    await sql('CREATE TABLE theirs (a INT); INSERT INTO theirs VALUES (1)', two.name)
    const before = await tracesOf(admitted.host)
    const refusals: [change: string, options: string, why: RegExp][] = [
      ['ln -s /etc files/public/etc', '', /is a link to outside/],
      ['echo x >files/public/x', `--transform='s,^files/public/x$,files/../../../tmp/x,'`, /is no path inside/],
      ['cp /bin/true files/public/true', '--mode=u+s', /would run as its owner/],
      ['mkfifo files/public/pipe', '', /neither files, folders nor links/],
      ['rm -r files/public', '', /has no files of the site/],
      ['sed -i s/^format.*/format\\ 99/ manifest', '', /made by a newer version of Gatehouse/],
    ]
    for (const [change, options, why] of refusals) {
      const forged = await forge(change, options)
      expect(await restore(forged)).toMatchObject({ status: 'failed', problem: 'unsuitable', error: expect.stringMatching(why) })
      await run(`rm ${folder}/${forged}`)
      expect(await tracesOf(admitted.host)).toBe(before)
    }
    const statements = [
      `DROP TABLE \`${two.name}\`.theirs;`,
      'CREATE DATABASE evil;',
      `GRANT ALL ON *.* TO \`${one.name}\`@localhost;`,
      'CREATE DEFINER=root@localhost PROCEDURE p() SQL SECURITY DEFINER DROP DATABASE mysql;',
    ]
    for (const line of statements) {
      const forged = await forge(insert(line))
      expect(await restore(forged)).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/^The step “Load the database” failed/),
      })
      await run(`rm ${folder}/${forged}`)
      expect(await tracesOf(admitted.host)).toBe(before)
    }
    expect(await sql('SELECT COUNT(*) FROM theirs', two.name)).toBe('1\n')
    expect((await ask()).text).toBe('files old database old')
    // Whatever comes of these, no program may run.
    for (const line of ['\\! touch /tmp/was-run', 'system touch /tmp/was-run']) {
      const forged = await forge(insert(line))
      await restore(forged)
      await run(`rm ${folder}/${forged}; [ ! -e /tmp/was-run ]`)
    }
  })

  test('a dump that only a newer MariaDB can load is refused by the names of both', async () => {
    const forged = await forge(
      `sed -i 's/^mariadb .*/mariadb 99.1.0-MariaDB/' manifest; ${insert('CREATE TABLE t (a TEXT COLLATE utf8mb4_later_ci);')}`,
    )
    const error = expect.stringMatching(
      /^The database was backed up with MariaDB 99\.1, and MariaDB 1\d\.\d+, which runs here, cannot load it\./,
    )
    expect(await restore(forged)).toMatchObject({ status: 'failed', problem: 'unsuitable', error })
    await run(`rm ${folder}/${forged}`)
  })

  test('a backup that was changed is no longer verified and is not restored', async () => {
    const name = await backUp()
    await run(`printf x >>${folder}/${name}`)
    expect((await newestOf()).proven).toBe(false)
    expect(await restore(name)).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: expect.stringMatching(/was changed since/),
    })
    await admitted.machine.sites.deleteBackups(one, [name])
  })

  test('what an earlier restore could not put back is not deleted by the next one', async () => {
    const name = await backUp()
    await run(`mkdir -m 700 /home/${one.name}/.replacing; echo former >/home/${one.name}/.replacing/former.txt`)
    const refused = { status: 'failed', problem: 'unsuitable', error: expect.stringContaining('could not put the former site back') }
    expect(await restore(name)).toMatchObject(refused)
    expect(await run(`cat /home/${one.name}/.replacing/former.txt; rm -r /home/${one.name}/.replacing`)).toBe('former\n')
    await run(
      `mariadb -e 'CREATE DATABASE \`gatehouse-restore-${one.name}\`; CREATE TABLE \`gatehouse-restore-${one.name}\`.\`after\` (a INT)'`,
    )
    expect(await restore(name)).toMatchObject(refused)
    await run(`mariadb -e 'DROP DATABASE \`gatehouse-restore-${one.name}\`'`)
    await admitted.machine.sites.deleteBackups(one, [name])
  })

  test('every night each site gets a backup; seven are kept, and copies from before something else for seven days', async () => {
    await run(`cd ${folder} && for day in 1 2 3 4 5 6 7 8; do echo x >one.test-2020010$day-000000-nightly.tar.zst; done
      echo x >one.test-20200101-000000-push.tar.zst; echo x >gone.test-20200101-000000-nightly.tar.zst; echo x >gone.test-20200101-000000-manual.tar.zst
      touch -d '8 days ago' ./*-20200101-*; touch -d '2 days ago' /home/${one.name}/.replaced`)
    await run('systemctl reset-failed; systemctl start gatehouse-backup.service')
    const left = (await admitted.machine.sites.listBackups(one)).filter(({ reason }) => reason === 'nightly')
    expect(left.map(({ proven }) => proven)).toEqual([true, ...Array.from({ length: 6 }, () => false)])
    expect((await newestOf(two)).reason).toBe('nightly')
    expect(await run(`cd ${folder} && ls -A . && ls -A /home/${one.name}; mariadb -e 'SHOW DATABASES'`)).not.toMatch(
      /making|(?<!g)one\.test-2020010[12]|push|gone\.test\S*nightly|replaced|kept|scratch/,
    )
    expect(await run(`ls ${folder}`)).toMatch(/gone\.test-20200101-000000-manual/)
  })

  test('nobody but a user without other rights reads the tables of a site, whatever its programs make of them meanwhile', async () => {
    await sql('CREATE TABLE IF NOT EXISTS looked (id INT PRIMARY KEY); CREATE TABLE `gatehouse-mark` (a INT)')
    // As root, it would show other databases, and write into all.
    await sql(`CREATE DEFINER = \`${one.name}\`@localhost FUNCTION look () RETURNS INT SQL SECURITY INVOKER RETURN (SELECT COUNT(*) FROM mysql.user);
      CREATE DEFINER = \`${one.name}\`@localhost SQL SECURITY INVOKER VIEW trap AS SELECT look() AS id FROM dual WHERE look() > 0`)
    await run(`mariadb -e "SET GLOBAL log_output = 'TABLE'; SET GLOBAL general_log = 1"`)
    const name = await backUp()
    expect(await restore(name)).toMatchObject({ status: 'done' })
    await run('systemctl start gatehouse-backup.service')
    const said = await run(
      'mariadb -NB',
      `SET GLOBAL general_log = 0; SELECT user_host, argument FROM mysql.general_log WHERE argument LIKE '%FROM \`%' AND argument NOT LIKE 'SHOW %';
      TRUNCATE mysql.general_log`,
    )
    const readers = said.split('\n').filter((line) => /SQL_NO_CACHE/.test(line) && /FROM `(looked|state)`/.test(line))
    expect(readers.length).toBeGreaterThanOrEqual(3)
    for (const line of readers) expect(line).toMatch(/^gatehouse-(dump|night)-/)
    expect(await run(`mariadb -NBe "SELECT user FROM mysql.global_priv WHERE user LIKE 'gatehouse-%'"; ls -A /run/gatehouse-load`)).toBe('')
    await sql('DROP VIEW trap; DROP FUNCTION look; DROP TABLE looked, `gatehouse-mark`')
  })

  test('links that programs of a site put in the way of its backup lead to nobody else’s files', async () => {
    const parts = ['site', 'backup-files', 'make-backup'].map((part) =>
      readFileSync(new URL(`../../lib/service/machines/debian/sites/${part}.bash`, import.meta.url), 'utf8'),
    )
    await upload(admitted.host, two, 'secret.txt', 'of the other')
    const said = await run(
      'bash -s',
      `set -euo pipefail
      ${parts.join('\n')}
      name_site '' ${one.name} one.test ''
      cd ${folder} && mkdir -m 700 work && mkdir work/site && echo manifest >work/site/manifest
      public=/home/${one.name}/public
      eval "$(declare -f choose_files | sed '1s/choose_files/choose_all/')"
      choose_files() {
        choose_all "$@"
        rm -r $public/deep
        runuser -u ${one.name} -- ln -sT "$there" $public/deep
      }
      for there in /etc /home/${two.name}/public; do
        rm -rf $public/deep
        runuser -u ${one.name} -- mkdir $public/deep
        for each in shadow secret.txt; do echo own >$public/deep/$each; done
        write_site_archive ${folder}/work gz >/dev/null || true
        gzip -dc work/archive | tar -tf - | grep deep/ || echo nothing
      done
      rm -r work $public/deep`,
    )
    expect(said).toBe('nothing\nnothing\n')
  })

  test('as long as a site has no new backup that is verified, its seven older ones stay; so do copies and a replaced site of this week', async () => {
    const nightly = async () => (await admitted.machine.sites.listBackups(one)).filter(({ reason }) => reason === 'nightly')
    const before = await nightly()
    expect(before).toHaveLength(7)
    const kept = 'one.test-20200101-000000-push.tar.zst'
    await run(
      `echo x >${folder}/${kept}; touch -d '6 days ago' ${folder}/${kept}; install -d -m 700 /home/${one.name}/.replaced
      cat >/usr/local/sbin/mariadb; chmod 755 /usr/local/sbin/mariadb`,
      `#!/bin/bash
[[ $* != *--defaults-file=/run/credentials/*gatehouse-scratch-${one.name}* ]] || { head -c 1000 >/dev/null; exit 1; }
exec /usr/bin/mariadb "$@"
`,
    )
    const traces = () =>
      run(
        `cd ${folder} && ls -A . && ls -A /home/${one.name} /run/gatehouse-load; mariadb -NBe 'SHOW DATABASES; SELECT User FROM mysql.global_priv'`,
      )
    const there = await traces()
    const { code, last } = await backUpEverything(admitted)
    await run('rm /usr/local/sbin/mariadb')
    expect(code).not.toBe(0)
    expect(last).toMatchObject({ state: 'partial', reason: 'Sites without a new backup of their own: one.test.' })
    expect(await nightly()).toEqual(before)
    const made = new RegExp(`^\\.?${two.domain}-.*-nightly\\.tar.*\\n`, 'gm')
    expect((await traces()).replace(made, '')).toBe(there.replace(made, ''))
    expect((await newestOf(two)).proven).toBe(true)
    await run(`rm -r ${folder}/${kept} /home/${one.name}/.replaced`)
  })

  test('an archive to be downloaded is deleted after its last byte, else by a timer, and its link is not found after a quarter of an hour', async () => {
    onTestFinished(() => void vi.useRealTimers())
    await using service = await openHttpService(admitted)
    const { id } = (await createSite(service, newSite(service, 'downloads.example.org'))).body
    const prepare = async () => String((await get(service, `/sites/${id}/download`)).body.download_url)
    const there = async () => (await run(`ls ${folder}/.downloads`)).trim()
    const first = await fetch(await prepare())
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    await expect.poll(there).toBe('')

    const link = await prepare()
    const file = await there()
    expect(file).toMatch(/^[0-9a-f-]{36}$/)
    const unit = (
      await run(`for each in $(systemctl list-timers --plain --no-legend 'run-*.timer' | grep -oE 'run-\\S+\\.service'); do
      ! systemctl show -p ExecStart "$each" | grep -F ${folder}/.downloads/${file} >/dev/null || echo "$each"; done`)
    ).trim()
    expect(unit).toMatch(/^run-\S+\.service$/)
    const askFor = async () => (await fetch(link, { headers: { range: 'bytes=0-9' } })).status
    expect(await askFor()).toBe(206)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
    expect(await askFor()).toBe(404)
    expect(await there()).toBe(file)
    vi.useRealTimers()
    expect(await askFor()).toBe(206)
    await run(`systemctl start ${unit}`)
    expect(await there()).toBe('')
    expect(await askFor()).toBe(404)
    expect(await deleteSite(service, String(id), '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test('without room, a backup and a download are refused before anything is written', async () => {
    await run(`fallocate -l $(( $(df -B1 --output=avail /var/backups | tail -n 1) - 200000000 )) /var/filler`)
    const works = [backingUp(one), { kind: 'download' as const, site: one }]
    const ends: unknown[] = []
    for (const work of works) ends.push(await endOf(admitted.machine, work))
    await run('rm /var/filler')
    const refused = (noun: string) =>
      expect.objectContaining({
        ...{ status: 'failed', problem: 'unsuitable' },
        error: expect.stringMatching(new RegExp(`^There is no room for ${noun}: the site uses`)),
      })
    expect(ends).toEqual([refused('a backup'), refused('an archive')])
  })
})
