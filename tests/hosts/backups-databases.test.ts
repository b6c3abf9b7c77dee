/**
 * Each database of a server is dumped and loaded again on its own: one that fails is named with its reason and does not affect
 * the others.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { BackupList } from '@/lib/service/machines/backups'
import { openChance } from '../support/seeds'
import { backUp, folder, putNightlyBackup } from './nightly-backup'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'

const chance = openChance()
const install = 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends mariadb-server'

describe.each(someDebians(chance))(`$debian SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { code, stderr } = await admitted.host.run(install, { timeoutMs: 240_000 })
    expect(code, stderr).toBe(0)
    await putNightlyBackup(admitted.host)
  })
  afterAll(() => admitted[Symbol.asyncDispose]())

  const run = (command: string, stdin = '') => admitted.host.run(command, { stdin, timeoutMs: 60_000 })

  async function sql(statements: string): Promise<string> {
    const { code, stdout, stderr } = await run('mariadb -N -B', statements)
    expect(code, stderr).toBe(0)
    return stdout
  }

  /** What the newest backup lacks: reasons by name. */
  const missingOf = ({ items }: BackupList) => Object.fromEntries(items[0]?.missing?.map(({ name, reason }) => [name, reason]) ?? [])

  /** The contents of the newest backup outside of /etc, without folders. */
  async function filesOf({ items }: BackupList): Promise<string[]> {
    const listed = await run(`tar --quoting-style=literal -tzf ${folder}/${items[0]?.name} | grep -E '^(databases|unproven)/.' | sort`)
    return listed.stdout.trim().split('\n')
  }

  const oddName = '-we"i\'rd. zażółć/\\x%'
  const oddFile = 'databases/-we%22i%27rd.%20zażółć%2F%5Cx%25.sql.gz'

  /** Wider than a page allows: accepted with a warning if innodb_strict_mode is off. */
  const wideColumns = Array.from({ length: 60 }, (_, index) => `c${index} CHAR(200)`).join(', ')

  const lifeBefore = `
    CREATE DATABASE good; CREATE TABLE good.orders (what TEXT); INSERT INTO good.orders VALUES ('zażółć');
    CREATE DATABASE across; CREATE VIEW across.orders AS SELECT * FROM good.orders;
    CREATE DATABASE \`${oddName}\`; CREATE TABLE \`${oddName}\`.t (x INT); INSERT INTO \`${oddName}\`.t VALUES (42);
    CREATE DATABASE \`.hidden\`;
    CREATE DATABASE broken; CREATE TABLE broken.gone (x INT); CREATE VIEW broken.view AS SELECT * FROM broken.gone;
    CREATE TABLE broken.kept (x INT); INSERT INTO broken.kept VALUES (7); DROP TABLE broken.gone;
    CREATE DATABASE large; CREATE TABLE large.t (x LONGBLOB); INSERT INTO large.t SELECT REPEAT('\\0', 12 * 1024 * 1024);
    CREATE DATABASE crashed; CREATE TABLE crashed.t (x INT, KEY (x)) ENGINE=MyISAM; INSERT INTO crashed.t VALUES (1); FLUSH TABLES;
    SET GLOBAL innodb_strict_mode = OFF; SET SESSION innodb_strict_mode = OFF;
    CREATE DATABASE wide; CREATE TABLE wide.t (${wideColumns}) ROW_FORMAT=COMPACT CHARACTER SET latin1;
    CREATE USER shop@localhost IDENTIFIED BY 'x'; GRANT SELECT ON good.* TO shop@localhost`

  test('databases that cannot be dumped or loaded are named with the reason; all others are verified, whatever their names', async () => {
    await sql(lifeBefore)
    await run('printf junk | dd of=/var/lib/mysql/crashed/t.MYI conv=notrunc')
    const backup = await backUp(admitted)
    expect([backup.code, backup.last?.state, backup.items[0]?.proven]).toEqual([1, 'partial', true])
    expect(backup.last?.reason).toMatch(/^Missing: /)
    expect(missingOf(backup)).toEqual({
      broken: expect.stringMatching(/^It could not be dumped whole: .*View 'broken.view' references invalid table/),
      crashed: expect.stringMatching(/^It could not be dumped whole: .*'t'/),
      large: expect.stringMatching(/^It cannot be loaded again: .*max_allowed_packet/),
    })
    expect(await filesOf(backup)).toEqual(
      [
        'databases/%2Ehidden.sql.gz',
        oddFile,
        ...['across', 'good', 'mysql', 'wide'].map((name) => `databases/${name}.sql.gz`),
        ...['broken', 'crashed', 'large'].map((name) => `unproven/${name}.sql.gz`),
      ].sort(),
    )
  })

  test('a backup can be restored as docs/restoring-a-server.md describes, and unverified dumps by hand', async () => {
    const { items } = await admitted.machine.backups.list()
    await sql(`DROP DATABASE across; DROP DATABASE good; DROP DATABASE \`${oddName}\`; DROP DATABASE broken; DROP USER shop@localhost`)
    const restored =
      await run(`mkdir -p /root/restored && tar -xzf ${folder}/${items[0]?.name} -C /root/restored databases unproven && cd /root/restored
      for round in 1 2; do for dump in databases/*.sql.gz; do gzip -dc "$dump" | mariadb; done; done
      mariadb -e 'FLUSH PRIVILEGES'; gzip -dc unproven/broken.sql.gz | mariadb`)
    expect(restored.code).toBe(0)
    expect(
      await sql(`SELECT * FROM across.orders; SELECT * FROM \`${oddName}\`.t; SELECT * FROM broken.kept; SHOW GRANTS FOR shop@localhost`),
    ).toMatch(/^zażółć\n42\n7\n.*\nGRANT SELECT ON `good`/)
  })

  test('the temporary database server has the limits of the live one', async () => {
    await sql(`DROP DATABASE broken; DROP DATABASE crashed; SET GLOBAL max_allowed_packet = 64 * 1024 * 1024`)
    const backup = await backUp(admitted)
    expect([backup.code, missingOf(backup), backup.last]).toEqual([0, {}, { state: 'done', at: expect.any(String), reason: '' }])
    // The live server refuses the new value of a table, so the temporary one must refuse it too.
    await sql('SET GLOBAL innodb_strict_mode = ON')
    onTestFinished(async () => void (await sql('SET GLOBAL innodb_strict_mode = OFF')))
    expect(missingOf(await backUp(admitted))).toEqual({
      wide: expect.stringMatching(/^It cannot be loaded again: ERROR 1118 .*Row size too large/),
    })
  })

  test('tables with files outside the data folder are verified too, and nothing is written to those folders', async () => {
    await run('install -d -o mysql -g mysql /srv/tables')
    await sql(`CREATE DATABASE elsewhere; CREATE TABLE elsewhere.t (x INT) DATA DIRECTORY='/srv/tables'; INSERT INTO elsewhere.t VALUES (5);
      CREATE TABLE elsewhere.m (x INT) ENGINE=MyISAM DATA DIRECTORY='/srv/tables' INDEX DIRECTORY='/srv/tables'`)
    onTestFinished(async () => void (await sql('DROP DATABASE elsewhere')))
    const files = async () => (await run('cd /srv && find . -newer /root/before -ls; find . | sort')).stdout
    await run('mariadb -e "FLUSH TABLES"; sleep 1; touch /root/before')
    const before = await files()
    expect(Object.keys(missingOf(await backUp(admitted)))).not.toContain('elsewhere')
    expect(await files()).toBe(before)
  })

  test('a complete dump that cannot be loaded is unverified', async () => {
    const fake =
      '#!/bin/sh\ncase $* in *good) echo "CREATE TABEL x;"; echo "-- Dump completed";; *) exec /usr/bin/mariadb-dump "$@";; esac\n'
    await run('cat >/usr/local/sbin/mariadb-dump; chmod +x /usr/local/sbin/mariadb-dump', fake)
    onTestFinished(async () => void (await run('rm /usr/local/sbin/mariadb-dump')))
    expect(Object.keys(missingOf(await backUp(admitted)))).toContain('good')
  })

  test('if root cannot log in or the database server is down, the files are backed up and the databases are named as missing', async () => {
    await sql('DROP DATABASE large; DROP DATABASE wide')
    await run('systemctl stop mariadb')
    const down = await backUp(admitted)
    expect(missingOf(down)).toEqual({
      'All databases': expect.stringMatching(/^The database server does not answer: .*Can't connect to local/),
    })
    await run('systemctl start mariadb')
    await sql("ALTER USER root@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('p w')")
    const refused = await backUp(admitted)
    expect([refused.code, refused.last?.reason]).toEqual([1, 'Missing: All databases.'])
    expect(missingOf(refused)).toEqual({
      'All databases': expect.stringMatching(/^Root does not get in .*Access denied for user 'root'@'localhost'/),
    })
    expect((await run(`tar -tzf ${folder}/${refused.items[0]?.name} etc/passwd`)).code).toBe(0)
    await run('umask 077; cat >/root/.my.cnf', '[client]\nuser=root\npassword="p w"\n')
    expect((await backUp(admitted)).last).toMatchObject({ state: 'done' })
  })
})
