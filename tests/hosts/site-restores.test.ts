/** Restoring sites on a real host that Gatehouse installed: what comes back, what visitors see, and what is refused. */
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SiteWork } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { backupsOf, definitions, backupsFolder as folder } from './sites/backed-up'
import { type ArchiveChange, changeArchive } from './sites/changed-archive'
import { useHostWithSites } from './sites/host-with-sites'
import {
  backingUp,
  creation,
  databasePassword,
  deletion,
  endOf,
  restoring,
  runJob,
  siteNamed,
  tracesOf,
  upload,
  visit,
} from './sites/site-job'

const chance = openChance()

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])

  const { run, sql, newestOf, backUp, restore } = backupsOf(admitted, one)

  const page = (version: string) => `<?php
    $db = new mysqli('localhost', '${one.name}', base64_decode('${Buffer.from(databasePassword).toString('base64')}'), '${one.name}');
    echo 'files ${version} database ', $db->query('SELECT word FROM state')->fetch_row()[0];`
  const definers = () =>
    sql(`SELECT definer FROM information_schema.views WHERE table_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.routines WHERE routine_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.triggers WHERE trigger_schema = DATABASE() UNION ALL
      SELECT definer FROM information_schema.events WHERE event_schema = DATABASE()`)

  type Seen = { status: number | undefined; retryAfter: string | undefined; text: string }

  const ask = (): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: admitted().host.ip, path: '/state.php', headers: { host: one.domain }, agent: false }, (reply) => {
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
    const { host } = admitted()
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
    // A request that has begun before the pause may find PHP stopped, which Apache answers by itself.
    const pauses = seen.flatMap(({ status, retryAfter }) => (status === 503 && retryAfter !== undefined ? [retryAfter] : []))
    expect(new Set(pauses)).toEqual(new Set(['2']))

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
    expect((await admitted().machine.sites.listBackups(one)).map(({ reason }) => reason).sort()).toEqual(['manual', 'restore'])
  })

  /** A backup whose archive is changed by a command, in a folder with what it holds. */
  const forge = async (change: string, options = ''): Promise<string> => {
    const { name } = await newestOf(two)
    const forged = `${one.domain}-20200101-000000-manual.tar.zst`
    await run(`rm -rf /root/forged && mkdir /root/forged && cd /root/forged && tar -xf ${folder}/${name} && (${change})
      sed -i 's/^user .*/user '$(id -u ${one.name})'/; s/^group .*/group '$(id -g ${one.name})'/' manifest
      chown -Rh ${one.name}:www-data files
      tar --zstd -cf ${folder}/${forged} --numeric-owner -P ${options} manifest database.sql $(ls -d files/*)`)
    return forged
  }

  /** A command that puts a line near the beginning of the dump. */
  const insert = (line: string): string =>
    `base64 -d <<<${Buffer.from(`${line}\n`).toString('base64')} >line; sed -i '1r line' database.sql; rm line`

  test('security 56: an archive from elsewhere can write to nothing but the site, and no refusal changes anything', async () => {
    await backUp(two)
    await sql('CREATE TABLE theirs (a INT); INSERT INTO theirs VALUES (1)', two.name)
    const before = await tracesOf(admitted().host)
    const refusals: [change: string, options: string, why: RegExp][] = [
      ['ln -s /etc files/public/etc', '', /is a link to outside/],
      ['echo x >files/public/x', `--transform='s,^files/public/x$,files/../../../tmp/x,'`, /is no path inside/],
      ['cp /bin/true files/public/true', '--mode=u+s', /would run as its owner/],
      ['mkfifo files/public/pipe', '', /files\/public\/pipe is neither a file, a folder nor a link/],
      ['rm -r files/public', '', /has no files of the site/],
      ['sed -i s/^format.*/format\\ 99/ manifest', '', /made by a newer version of Gatehouse/],
    ]
    for (const [change, options, why] of refusals) {
      const forged = await forge(change, options)
      expect(await restore(forged)).toMatchObject({ status: 'failed', problem: 'unsuitable', error: expect.stringMatching(why) })
      await run(`rm ${folder}/${forged}`)
      expect(await tracesOf(admitted().host)).toBe(before)
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
      expect(await tracesOf(admitted().host)).toBe(before)
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

  /** A backup of the first site under another name, whose archive somebody else has changed. */
  const changed = async (change: Omit<ArchiveChange, 'from' | 'to'>): Promise<string> => {
    const to = `${one.domain}-20200102-000000-manual.tar.zst`
    await run(changeArchive({ from: await backUp(), to, ...change }))
    return to
  }
  const refusal = { status: 'failed', problem: 'unsuitable' }
  const isOfBefore = `sed -i 's/^format .*/format 1/' manifest`
  const ofAnotherName = `sed -i 's/^name .*/name formername1/' manifest`

  test('security 56: what root owns in an archive belongs to the site afterwards, so no link leads Apache to files of others', async () => {
    const { host } = admitted()
    await run('echo of the server >/srv/readable.txt; chmod 644 /srv/readable.txt')
    const name = await changed({
      make: `mkdir -p files/public/its-own && ln -s its-own/there files/public/link && echo x >files/public/open.txt && chmod 666 files/public/open.txt
        chown ${one.name}:www-data files/public/its-own && chmod 3777 files/public/its-own`,
      names: ['files/public/its-own', 'files/public/link', 'files/public/open.txt'],
    })
    expect(await restore(name)).toMatchObject({ status: 'done' })
    const others = `find /home/${one.name}/public /home/${one.name}/private`
    expect(await run(`${others} ! -user ${one.name}; ${others} ! -type l -perm /5002; ${others} -type f -perm /2000`)).toBe('')
    await run(`runuser -u ${one.name} -- ln -sT /srv/readable.txt /home/${one.name}/public/its-own/there`)
    expect(await visit(host, one.domain, '/link')).not.toMatch(/of the server/)
    expect(await visit(host, one.domain, '/open.txt')).toBe('200 x\n')
    await run(`rm -r ${folder}/${name} /srv/readable.txt /home/${one.name}/public/{its-own,link,open.txt}`)
  })

  test('security 56: no program of the site gets to what is restored before it is served, also while its configuration is rewritten', async () => {
    const { host } = admitted()
    const log = `/home/${one.name}/private/watched.log`
    const make = `mkdir -p files/public && echo $(id -u ${two.name}) && chown ${one.name}: files && chmod 777 files`
    const tampered = await changed({ make, names: ['files'], manifest: ofAnotherName })
    expect(await restore(tampered)).toMatchObject(refusal)
    const config = (from: string) => `<?php define('DB_NAME', '${from}'); define('HERE', '/home/${from}/public');`
    await upload(host, one, 'wp-config.php', config('formername1'))
    // Waits for a way in, through the folder or through a process that has it.
    await upload(
      host,
      one,
      'watch.php',
      `<?php set_time_limit(0); ignore_user_abort(true); file_put_contents('${log}', "began\\n");
      for ($end = microtime(true) + 60; microtime(true) < $end; usleep(200)) {
        clearstatcache();
        $home = '/home/${one.name}/.restoring';
        foreach ([$home, "$home/files", "$home/files/public", ...glob("/proc/[0-9]*/root$home/files/public")] as $path) {
          if (@chdir($path)) { file_put_contents('${log}', "in $path\\n", FILE_APPEND); exit; }
        }
      }`,
    )
    const name = await changed({ manifest: ofAnotherName })
    const watching = visit(host, one.domain, '/watch.php').catch(String)
    await run(`for try in $(seq 100); do [ ! -s ${log} ] || exit 0; sleep 0.1; done; exit 1`)
    expect(await restore(name)).toMatchObject({ status: 'done' })
    await watching
    expect(await run(`cat /home/${one.name}/.replaced/private/watched.log`)).toBe('began\n')
    expect(await run(`cd /home/${one.name}/public && cat wp-config.php && stat -c ' %U %F' . wp-config.php`)).toBe(
      `${config(one.name)} ${one.name} directory\n ${one.name} regular file\n`,
    )
    await run(`rm ${folder}/${name} /home/${one.name}/public/{wp-config,watch}.php`)
  })

  test('security 56: of an archive only the folders public and private come back; what an earlier version had beside them is named', async () => {
    const others = {
      make: `mkdir -p files/notes files/.ssh && echo '|touch /tmp/forwarded' >files/.forward && echo x >files/notes/a && chown ${one.name}: files/.forward`,
      names: ['files/.forward', 'files/.ssh', 'files/notes', 'files/notes/a'],
    }
    expect(await restore(await changed(others))).toMatchObject(refusal)
    await run(`echo kept >/home/${one.name}/.by-an-admin`)
    const name = await changed({ ...others, manifest: isOfBefore })
    const lines = await runJob(admitted().machine, restoring(one, name))
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    const said = lines.map(({ message }) => message)
    for (const left of others.names.slice(0, 3)) expect(said.filter((line) => line.endsWith(`: ${left.slice(6)}`))).toHaveLength(1)
    expect(await run(`ls -A /home/${one.name}; cat /home/${one.name}/.by-an-admin; ls /tmp/forwarded 2>/dev/null || true`)).toBe(
      '.by-an-admin\n.replaced\nprivate\npublic\nkept\n',
    )
    await run(`rm ${folder}/${name} /home/${one.name}/.by-an-admin`)
  })

  test('what a backup leaves out is named', async () => {
    await run(
      `cd /home/${one.name} && echo x >beside.txt && cd public && mkfifo pipe && ln -s /etc leads-out && mkdir many && cd many && for each in $(seq 120); do ln -s /etc $each; done`,
    )
    const lines = (await runJob(admitted().machine, backingUp(one))).map(({ message }) => message)
    for (const left of ['beside.txt', 'public/pipe', 'public/leads-out']) {
      expect(lines.filter((line) => line.startsWith('Left out') && line.endsWith(`: ${left}`))).toHaveLength(1)
    }
    expect(lines.filter((line) => line.startsWith('Left out'))).toHaveLength(101)
    expect(lines).toContain('Left out, and not named: 23 more.')
    const { name } = await newestOf()
    expect(await run(`tar -tf ${folder}/${name} | grep '^files/' | grep -cvE '^files/(public|private)/' || true`)).toBe('0\n')
    await run(`rm -r /home/${one.name}/{beside.txt,public/pipe,public/leads-out,public/many}`)
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
    await admitted().machine.sites.deleteBackups(one, [name])
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
    await run(`mkdir -m 700 /home/${one.name}/.restoring`)
    // A refusal removes nothing of an earlier restore, or the next attempt would not be refused.
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await restore(name)).toMatchObject(refused)
    await run(`rmdir /home/${one.name}/.restoring; mariadb -e 'DROP DATABASE \`gatehouse-restore-${one.name}\`'`)
    await admitted().machine.sites.deleteBackups(one, [name])
  })

  test('the programs of a restored site get into its database: after its password was changed, and after the site was deleted and created again', async () => {
    const { host, machine } = admitted()
    const gone = siteNamed('gonetest5e6f', 'gone.test')
    const again = siteNamed('againtest7a8b', 'gone.test')
    const must = async (work: SiteWork) => {
      const end = await endOf(machine, work)
      expect(end).toMatchObject({ status: 'done' })
      return end
    }
    await must(creation(gone))
    const config = `<?php define('DB_NAME', '${gone.name}'); define('DB_USER', '${gone.name}'); define('DB_PASSWORD', 'x');
      define('HERE', '/home/${gone.name}/public');`
    await upload(host, gone, 'wp-config.php', config)
    await upload(
      host,
      gone,
      'state.php',
      `<?php require 'wp-config.php'; $db = new mysqli('localhost', DB_USER, DB_PASSWORD, DB_NAME); echo $db->query('SELECT word FROM state')->fetch_row()[0], ' ', HERE;`,
    )
    await sql("CREATE TABLE state (word TEXT); INSERT INTO state VALUES ('then')", gone.name)
    await machine.sites.setDatabasePassword(gone, 'of then')
    const name = await backUp(gone)
    await machine.sites.setDatabasePassword(gone, 'of later')
    await sql("UPDATE state SET word = 'later'", gone.name)
    expect(await must(restoring(gone, name))).toMatchObject({
      message: expect.stringContaining('The password of its database is the one of the backup again.'),
    })
    expect(await visit(host, gone.domain, '/state.php')).toBe(`200 then /home/${gone.name}/public`)

    await run(`runuser -u ${gone.name} -- ln -s /home/${gone.name}/public/state.php /home/${gone.name}/public/link.php`)
    await must(deletion(gone))
    await must(creation(again))
    const last = await newestOf(again)
    expect(last.reason).toBe('delete')
    await must(restoring(again, last.name))
    expect(await visit(host, again.domain, '/state.php')).toBe(`200 then /home/${again.name}/public`)
    expect(await run(`grep -c ${gone.name} /home/${again.name}/public/wp-config.php || true`)).toBe('0\n')
    expect(await visit(host, again.domain, '/link.php')).toBe(`200 then /home/${again.name}/public`)
  })
})
