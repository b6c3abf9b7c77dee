/** Backups of sites on a real host that Gatehouse installed: how they are made, by whom, at night, and downloaded. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { proveSiteBackups } from '../service/conformance/site-backups'
import { newSite } from '../service/conformance/sites'
import { get } from '../service/support/caller'
import { createSite, deleteSite } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { backUp as backUpEverything } from './nightly-backup'
import { someDebians } from './releases'
import { backupsOf, backupsFolder as folder } from './sites/backed-up'
import { useHostWithSites } from './sites/host-with-sites'
import { openHttpService } from './sites/http-service'
import { backingUp, endOf, removeBackups, siteNamed, upload } from './sites/site-job'

const chance = openChance()

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])

  const { run, sql, newestOf, backUp, restore } = backupsOf(admitted, one)

  test('backups and downloads of sites on a host pass the same conformance tests as on the sandbox', async () => {
    await using service = await openHttpService(admitted())
    await proveSiteBackups(service, { ...service, key: await service.createKey('stranger') })
    await run(removeBackups)
  })

  test('every night each site gets a backup; seven are kept, and copies from before something else for seven days', async () => {
    await run(`cd ${folder} && for day in 1 2 3 4 5 6 7 8; do echo x >one.test-2020010$day-000000-nightly.tar.zst; done
      echo x >one.test-20200101-000000-push.tar.zst; echo x >gone.test-20200101-000000-nightly.tar.zst; echo x >gone.test-20200101-000000-manual.tar.zst
      touch -d '8 days ago' ./*-20200101-*
      install -d -m 700 /home/${one.name}/.replaced; touch -d '2 days ago' /home/${one.name}/.replaced; mariadb -e 'CREATE DATABASE \`gatehouse-kept-${one.name}\`'`)
    await run('systemctl reset-failed; systemctl start gatehouse-backup.service')
    const left = (await admitted().machine.sites.listBackups(one)).filter(({ reason }) => reason === 'nightly')
    expect(left.map(({ proven }) => proven)).toEqual([true, ...Array.from({ length: 6 }, () => false)])
    expect((await newestOf(two)).reason).toBe('nightly')
    expect(await run(`cd ${folder} && ls -A . && ls -A /home/${one.name}; mariadb -e 'SHOW DATABASES'`)).not.toMatch(
      /making|(?<!g)one\.test-2020010[12]|push|gone\.test\S*nightly|replaced|kept|scratch/,
    )
    expect(await run(`ls ${folder}`)).toMatch(/gone\.test-20200101-000000-manual/)
  })

  test('where there is no room for the backup of the server, sites get theirs, and what has expired is deleted', async () => {
    const before = await newestOf()
    // An archive that is not there as large as it says: the next one would need more room than the disk has.
    const large = '/var/backups/gatehouse/backup-2020-01-01-000000.tar.gz'
    const expired = `${folder}/one.test-20200101-000000-push.tar.zst`
    await run(`truncate -s 100G ${large}; echo x >${expired}; touch -d '8 days ago' ${expired}`)
    const { code, last } = await backUpEverything(admitted())
    await run(`rm ${large}; [ ! -e ${expired} ]`)
    expect(code).not.toBe(0)
    expect(last).toMatchObject({ state: 'failed', reason: expect.stringMatching(/^There is not enough room in .* needs about \S+ GB\.$/) })
    const newest = await newestOf()
    expect(newest).toMatchObject({ reason: 'nightly', proven: true })
    expect(newest.name).not.toBe(before.name)
  })

  test('security 61: nobody but a user without other rights reads the tables of a site, whatever its programs make of them meanwhile', async () => {
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
    const readers = said.split('\n').filter((line) => /SQL_NO_CACHE/.test(line) && /FROM `looked`/.test(line))
    expect(readers.length).toBeGreaterThanOrEqual(3)
    for (const line of readers) expect(line).toMatch(/^gatehouse-(dump|night)-/)
    expect(await run(`mariadb -NBe "SELECT user FROM mysql.global_priv WHERE user LIKE 'gatehouse-%'"; ls -A /run/gatehouse-load`)).toBe('')
    // A view that cannot be read is left out of a backup, and named.
    await sql('DROP VIEW IF EXISTS trap; DROP FUNCTION look; DROP TABLE looked, `gatehouse-mark`')
  })

  test('a program that locks the tables of its site ends the backup of that site within seconds, and is named as the reason', async () => {
    // Ended by the end of its input.
    await run(
      `(echo 'CREATE TABLE locked (id INT); LOCK TABLES locked WRITE;'; exec sleep 120) 2>/dev/null | mariadb ${one.name} >/dev/null 2>&1 & sleep 1`,
    )
    const begun = performance.now()
    const end = await endOf(admitted().machine, backingUp(one))
    await run('pkill -x sleep || true')
    expect(end).toMatchObject({ status: 'failed', error: expect.stringContaining('holds locks on its tables (LOCK TABLES)') })
    expect(performance.now() - begun).toBeLessThan(40_000)
    await sql('DROP TABLE locked')
  })

  test('security 61: no function of a site runs as root, also where MariaDB runs it while a view is only prepared', async () => {
    const { machine } = admitted()
    await sql('CREATE TABLE canary (who TEXT)', 'mysql')
    const spy = `CREATE DEFINER = \`${one.name}\`@localhost FUNCTION spy () RETURNS CHAR(1) DETERMINISTIC SQL SECURITY INVOKER BEGIN
      DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
      IF CURRENT_USER() LIKE 'root@%' THEN
        INSERT INTO mysql.canary VALUES (CURRENT_USER());
        SELECT 'x' INTO OUTFILE '/var/tmp/canary';
        SELECT 'x' INTO OUTFILE '/etc/cron.d/canary';
      END IF;
      RETURN '!';
    END//`
    await run(`mariadb --delimiter=// ${one.name}`, spy)
    // Made by the site, or making it would run it.
    const shy = `CREATE SQL SECURITY INVOKER VIEW shy AS SELECT 'a' LIKE 'b' ESCAPE spy() AS found`
    await run(
      `mariadb -e "CREATE USER site@localhost IDENTIFIED BY 'x'; GRANT ALL ON ${one.name}.* TO site@localhost" && mariadb -u site -px ${one.name} && mariadb -e 'DROP USER site@localhost'`,
      shy,
    )
    expect((await machine.sites.facts([one])).get(one.name)?.usedBytes).toBeGreaterThan(1000)
    expect((await machine.sites.tables(one)).map(({ name }) => name)).toContain('shy')
    await machine.sites.staging(one, null)
    const name = await backUp()
    expect(await restore(name)).toMatchObject({ status: 'done' })
    expect((await backUpEverything(admitted())).last).toMatchObject({ state: 'done' })
    expect(await run('mariadb -NBe "SELECT COUNT(*) FROM mysql.canary"; ls /var/tmp/canary /etc/cron.d/canary 2>/dev/null || true')).toBe(
      '0\n',
    )
    expect(await sql('SELECT found FROM shy')).toBe('0\n')
    expect(await sql("SELECT LOCATE('CREATE', body) FROM mysql.proc WHERE name = 'spy'")).toBe('0\n')
    await sql('DROP TABLE canary', 'mysql')
    await sql('DROP VIEW shy; DROP FUNCTION spy')
  })

  test('security 61: links that programs of a site put in the way of its backup lead to nobody else’s files', async () => {
    await upload(admitted().host, two, 'secret.txt', 'of the other')
    const public_ = `/home/${one.name}/public`
    // A folder and a file change places with links all the time.
    await run(
      `cat >/run/swap.py && systemd-run --quiet --unit=lab-swap --uid=${one.name} -p WorkingDirectory=${public_} python3 /run/swap.py /home/${two.name}/public`,
      `import os, sys
os.mkdir("deep")
open("deep/mine.txt", "w").write("mine")
open("plain", "w").write("mine")
os.symlink(sys.argv[1], "deep-link")
os.symlink("/etc/shadow", "plain-link")
while True:
    for name in ("deep", "plain"):
        os.rename(name, "aside")
        os.rename(f"{name}-link", name)
        os.rename(name, f"{name}-link")
        os.rename("aside", name)
`,
    )
    const names: string[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const name = await backUp()
      names.push(...(await run(`zstd -dc ${folder}/${name} | tar -tvf -`)).split('\n'))
      expect(await run(`zstd -dc ${folder}/${name} | tar -xO --wildcards 'files/*' | grep -cE 'of the other|^root:' || true`)).toBe('0\n')
    }
    await run(`systemctl stop lab-swap; rm -rf ${public_}/{deep,plain,aside}* /run/swap.py`)
    expect(names.filter((line) => /deep|plain|aside/.test(line)).length).toBeGreaterThan(0)
    expect(names.filter((line) => /secret\.txt| -> \/(etc|home\/two)/.test(line))).toEqual([])
  })

  test('as long as a site has no new backup that is verified, its seven older ones stay; so do copies and a replaced site of this week', async () => {
    const nightly = async () => (await admitted().machine.sites.listBackups(one)).filter(({ reason }) => reason === 'nightly')
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
    const { code, last } = await backUpEverything(admitted())
    await run('rm /usr/local/sbin/mariadb')
    expect(code).not.toBe(0)
    expect(last).toMatchObject({ state: 'partial', reason: 'Sites without a new backup: one.test.' })
    expect(await nightly()).toEqual(before)
    const made = new RegExp(`^\\.?${two.domain}-.*-nightly\\.tar.*\\n`, 'gm')
    expect((await traces()).replace(made, '')).toBe(there.replace(made, ''))
    expect((await newestOf(two)).proven).toBe(true)
    await run(`rm -r ${folder}/${kept} /home/${one.name}/.replaced`)
  })

  test('an archive to be downloaded is deleted after its last byte, else by a timer, and its link is not found after a quarter of an hour', async () => {
    onTestFinished(() => void vi.useRealTimers())
    await using service = await openHttpService(admitted())
    const { id } = (await createSite(service, newSite(service, 'downloads.example.org'))).body
    const prepare = async () => String((await get(service, `/sites/${id}/download`)).body.download_url)
    const there = async () => (await run(`ls ${folder}/.downloads`)).trim()
    const first = await fetch(await prepare())
    const inside = gunzipSync(Buffer.from(await first.arrayBuffer())).toString('latin1')
    expect(inside).toMatch(/^reason download$/m)
    // Whoever reads the archive could search for the password.
    expect(inside).not.toMatch(/^password /m)
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
    await expect.poll(there).toBe('')
    expect(await askFor()).toBe(404)
    expect(await deleteSite(service, String(id), '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test('without room, a backup and a download are refused before anything is written', async () => {
    await run(`fallocate -l $(( $(df -B1 --output=avail /var/backups | tail -n 1) - 200000000 )) /var/filler`)
    const works = [backingUp(one), { kind: 'download' as const, site: one }]
    const ends: unknown[] = []
    for (const work of works) ends.push(await endOf(admitted().machine, work))
    await run('rm /var/filler')
    const refused = (noun: string) =>
      expect.objectContaining({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringMatching(new RegExp(`^There is no room for ${noun}: it needs [0-9.]+ [MG]B, [0-9.]+ [MG]B are free`)),
      })
    expect(ends).toEqual([refused('a backup'), refused('an archive')])
  })

  test('a server that lacks the program gets it with the next backup; where Python cannot be installed, the job says why', async () => {
    await run('rm -r /usr/lib/gatehouse && dpkg --remove --force-depends python3 python3-minimal && [ ! -e /usr/bin/python3 ]')
    await run(`cat >/etc/apt/apt.conf.d/zz-unreachable`, 'Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::Retries "0";\n')
    expect(await endOf(admitted().machine, backingUp(one))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The step “Python” failed: '),
    })
    expect(await run('ls /usr/lib/gatehouse')).toMatch(/^[0-9a-f]{16}\n$/)
  })
})
