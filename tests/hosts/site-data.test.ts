/** What sites of customers have in their databases, pulled: keys of any kind, other character sets, domains of IDN. Then what their configuration says. */
import { describe, expect, test } from 'vitest'
import type { SiteOnHost, SiteWork } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { backUp, putNightlyBackup } from './nightly-backup'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { backingUp, databasePassword, pulling, pushing, restoring, runJob, siteNamed, upload, visit } from './sites/site-job'

const chance = openChance()
const live = siteNamed('datatest1a2b', 'data.test')
const copy = siteNamed('datatest3c4d', 'staging.data.test')
const abroad = siteNamed('mllerb1a2b', 'xn--mller-b-n2a.example')
const copyAbroad = siteNamed('mllerb3c4d', 'staging.xn--mller-b-n2a.example')
const configured = siteNamed('conftest1a2b', 'conf.test')
const copyConfigured = siteNamed('conftest3c4d', 'staging.conf.test')
const authority = { directory: '', roots: '', contact: '' }

/** Keys whose order or equality as text is another than MariaDB's: the type of the key, and its 300 values by the number `seq`. */
const keys: Record<string, [string, string]> = {
  enums: ["ENUM('nl', 'de') NOT NULL, n INT NOT NULL, PRIMARY KEY (k, n)", "IF(seq > 150, 'nl', 'de')"],
  sets: ["SET('b', 'a', 'c') NOT NULL, n INT NOT NULL, PRIMARY KEY (k, n)", "ELT(1 + seq % 3, '', 'c', 'b,a')"],
  floats: ['FLOAT NOT NULL, n INT, PRIMARY KEY (k)', 'seq / 10 - 7'],
  doubles: ['DOUBLE NOT NULL, n INT, PRIMARY KEY (k)', 'seq / 7 - 7'],
  bits: ['BIT(20) NOT NULL, n INT, PRIMARY KEY (k)', 'seq'],
  bytes: ['BINARY(4) NOT NULL, n INT, PRIMARY KEY (k)', "UNHEX(LPAD(HEX(seq * 65537), 8, 'F'))"],
  bigs: ['BIGINT UNSIGNED NOT NULL, n INT, PRIMARY KEY (k)', '18446744073709551615 - seq'],
  negatives: ['DECIMAL(20, 5) NOT NULL, n INT, PRIMARY KEY (k)', 'seq * -1.00001'],
  times: ['TIMESTAMP(3) NOT NULL, n INT, PRIMARY KEY (k)', 'FROM_UNIXTIME(1761433200 + seq * 60)'],
  collations: ['VARCHAR(9) COLLATE utf8mb4_swedish_ci NOT NULL, n INT NOT NULL, PRIMARY KEY (k, n)', "ELT(1 + seq % 3, 'ö', 'O', 'z')"],
  cyrillic: ['VARCHAR(9) CHARSET cp1251 NOT NULL, n INT NOT NULL, PRIMARY KEY (k, n)', "ELT(1 + seq % 3, 'я', 'Ж', 'б')"],
  without: ['INT, n INT', 'seq % 2'],
}

const tables = (engine: string) =>
  Object.entries(keys).map(
    ([
      name,
      [type, value],
    ]) => `CREATE TABLE ${name}_${engine} (k ${type.replace(', n INT', ', v TEXT, n INT')}) ENGINE=${engine} DEFAULT CHARSET utf8mb4;
      INSERT INTO ${name}_${engine} (k, n, v) SELECT ${value}, seq, ELT(1 + seq % 2, 'https://data.test/a', '${`s:18:"https://data.test/"`};') FROM seq_1_to_300;`,
  )

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const there = useHostWithSites(release, [live, abroad, configured])
  const sqlOf = async ({ name }: SiteOnHost, sql: string): Promise<string> => {
    const { stdout, stderr } = await there().host.run(`mariadb -NB --default-character-set=utf8mb4 ${name}`, { stdin: sql })
    return stdout.trim() + stderr
  }
  const pull = async (of: SiteOnHost, to: SiteOnHost, isNew = true) => {
    const again: SiteWork = {
      kind: 'pull',
      site: of,
      copy: to,
      authority,
      refused: [],
      isNew: false,
      password: '',
      parts: { files: true, database: true, tables: [] },
    }
    const lines = await runJob(there().machine, isNew ? pulling(of, to, authority) : again)
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    return lines.map(({ message }) => message)
  }

  test('every row gets the other address, whatever its key is', async () => {
    const names = Object.keys(keys).flatMap((name) => [`${name}_InnoDB`, `${name}_MyISAM`])
    expect(await sqlOf(live, [...tables('InnoDB'), ...tables('MyISAM')].join('\n'))).toBe('')
    expect(
      await sqlOf(
        live,
        `CREATE TABLE other (id INT PRIMARY KEY, v TEXT); INSERT INTO other VALUES (1, TO_BASE64('https://data.test/x')), (2, 'me@data.test')`,
      ),
    ).toBe('')
    const said = await pull(live, copy)
    const counted = names.map((name) => `SELECT '${name}', COUNT(*), SUM(v LIKE '%http://staging.data.test%') FROM ${name};`).join('\n')
    expect(await sqlOf(copy, counted)).toBe(names.map((name) => `${name}\t300\t300`).join('\n'))
    expect(await sqlOf(copy, 'SELECT DISTINCT v FROM enums_InnoDB ORDER BY v')).toBe(
      'http://staging.data.test/a\ns:25:"http://staging.data.test/";',
    )
    expect(said).toContain('other: rows still name data.test: 1 in base64, 1 in addresses of mail.')
    expect(said.filter((line) => line.includes('still name'))).toHaveLength(1)
  })

  test('serialized PHP stays readable in columns of other character sets, as bytes or as UTF-8; what is broken stays and is counted', async () => {
    const { host } = there()
    const values = [
      // As a program writes it that reads the column's own bytes, one that writes UTF-8 into it, and one that reads it as UTF-8.
      `CONVERT(CONCAT('a:1:{s:1:"u";s:22:"https://data.test/caf', CHAR(0xE9), '";}') USING latin1)`,
      `CONVERT(CONCAT('a:1:{s:1:"u";s:23:"https://data.test/caf', CHAR(0xC3, 0xA9), '";}') USING latin1)`,
      `CONCAT('a:1:{s:1:"u";s:23:"https://data.test/caf', _utf8mb4 'é', '";}')`,
      `'a:1:{s:1:"u";s:99:"https://data.test/";}'`,
    ]
    const rows = values.map((value, at) => `INSERT INTO latin VALUES (${at + 1}, ${value});`).join('\n')
    expect(await sqlOf(live, `CREATE TABLE latin (id INT PRIMARY KEY, v TEXT) DEFAULT CHARSET latin1; ${rows}`)).toBe('')
    const russian = `CREATE TABLE russian (id INT PRIMARY KEY, v TEXT) DEFAULT CHARSET cp1251; INSERT INTO russian VALUES (1, 's:24:"https://data.test/привет";')`
    const wide = `CREATE TABLE wide (id INT PRIMARY KEY, v TEXT) DEFAULT CHARSET ucs2; INSERT INTO wide VALUES (1, 's:20:"https://data.test/é";')`
    expect(await sqlOf(live, `${russian}; ${wide}`)).toBe('')
    const said = await pull(live, copy, false)
    expect(said).toContain('1 values could not take the other address and stay as they are.')
    expect(said).toContain('latin: rows still name data.test: 1 in addresses.')
    const ask = (charset: string, table: string) =>
      host.run(`php -r '$db = new mysqli("localhost", "root", "", "${copy.name}", 0, "/run/mysqld/mysqld.sock"); $db->set_charset("${charset}");
        foreach ($db->query("SELECT v FROM ${table} ORDER BY 1") as $row) echo json_encode(@unserialize($row["v"]), JSON_INVALID_UTF8_SUBSTITUTE), " ";'`)
    expect((await ask('latin1', 'latin WHERE id < 3')).stdout).toMatch(
      /"http:\\\/\\\/staging.data.test\\\/caf.*"http:\\\/\\\/staging.data.test\\\/caf/,
    )
    expect((await ask('utf8mb4', 'latin WHERE id = 3')).stdout).toContain('"http:\\/\\/staging.data.test\\/caf')
    expect((await ask('cp1251', 'russian')).stdout).toContain('"http:\\/\\/staging.data.test\\/')
    expect((await ask('utf8mb4', 'wide')).stdout).toContain('"http:\\/\\/staging.data.test\\/')
  })

  test('a domain of IDN is rewritten in each of its forms, and what still names it is shown', async () => {
    const forms = [
      'https://müller-b.example/x',
      'https://m%C3%BCller-b.example/x',
      'https://MÜLLER-B.example/x',
      'müller-b.example',
      'a müller-b.example b',
    ]
    const escaped = '{"u":"https:\\\\/\\\\/m\\\\u00fcller-b.example\\\\/x"}'
    const rows = [...forms, escaped].map((form, at) => `(${at}, '${form}')`).join(', ')
    for (const charset of ['utf8mb4', 'latin1'])
      expect(
        await sqlOf(
          abroad,
          `CREATE TABLE ${charset}_t (id INT PRIMARY KEY, v TEXT) DEFAULT CHARSET ${charset}; INSERT INTO ${charset}_t VALUES ${rows}`,
        ),
      ).toBe('')
    const said = await pull(abroad, copyAbroad)
    const to = copyAbroad.domain
    for (const charset of ['utf8mb4', 'latin1']) {
      expect((await sqlOf(copyAbroad, `SELECT v FROM ${charset}_t ORDER BY id`)).split('\n')).toEqual([
        `http://${to}/x`,
        `http://${to}/x`,
        `http://${to}/x`,
        to,
        'a müller-b.example b',
        `{"u":"http:\\\\/\\\\/${to}\\\\/x"}`,
      ])
      expect(said).toContain(`${charset}_t: rows still name ${abroad.domain}: 1 in text.`)
    }
  })

  test('a password goes where PHP reads it, and nowhere if the site would not get in; the first pull likewise', async () => {
    const { host, machine } = there()
    const config = (password: string) => `<?php
define('DB_NAME', '${configured.name}'); define('DB_USER', '${configured.name}');
// define('DB_PASSWORD', 'old');
${password}
define('DB_HOST', 'localhost');
/* That's all */ if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/'); require_once ABSPATH . 'wp-settings.php';`
    const page =
      '<?php mysqli_report(MYSQLI_REPORT_OFF); require "wp-config.php"; echo @mysqli_connect(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME) ? "in" : "out";'
    await upload(host, configured, 'in.php', page)
    await upload(host, configured, 'wp-settings.php', '<?php')
    const quoted = `'${databasePassword.replace(/[\\']/g, '\\$&')}'`
    const path = `/home/${configured.name}/public/wp-config.php`
    const read = async () => (await host.run(`cat ${path}`)).stdout
    const open = async () => {
      await host.run(`systemctl reload 'gatehouse-php*@${configured.name}.service'`)
      return visit(host, configured.domain, '/in.php')
    }
    await upload(host, configured, 'wp-config.php', config(`define('DB_PASSWORD', ${quoted});`))
    expect(await open()).toBe('200 in')
    expect(await machine.sites.setDatabasePassword(configured, 'one of two')).toEqual([path])
    expect(await read()).toBe(config("define('DB_PASSWORD', 'one of two');"))
    expect(await open()).toBe('200 in')

    const conditional = "if (getenv('NEVER')) define('DB_PASSWORD', 'elsewhere');\nelse define('DB_PASSWORD', 'one of two');"
    await upload(host, configured, 'wp-config.php', config(conditional))
    expect(await machine.sites.setDatabasePassword(configured, 'second')).toEqual([path])
    expect(await read()).toBe(config(conditional.replace('one of two', 'second')))
    expect(await open()).toBe('200 in')

    const computed = config("define('DB_PASSWORD', 'sec' . 'ond');")
    await upload(host, configured, 'wp-config.php', computed)
    await expect(machine.sites.setDatabasePassword(configured, 'third')).rejects.toMatchObject({
      problem: { code: 'unsuitable', sentence: expect.stringMatching(/MariaDB refuses this user or password.*old password stays valid/) },
    })
    expect(await read()).toBe(computed)
    expect(await open()).toBe('200 in')

    await upload(host, configured, 'wp-config.php', config(conditional.replace('one of two', 'second')))
    await pull(configured, copyConfigured)
    const copied = `cd /home/${copyConfigured.name}/public && runuser -u ${copyConfigured.name} -- php in.php`
    expect((await host.run(copied)).stdout).toBe('in')
  })

  test('a push says which tables differ, and is undone if the first page or the way into the database fails after it', async () => {
    const { host, machine } = there()
    const page = '<?php require "in.php";'
    await upload(host, configured, 'index.php', page)
    await sqlOf(configured, 'CREATE TABLE items (id INT PRIMARY KEY); INSERT INTO items VALUES (1), (2)')
    await pull(configured, copyConfigured, false)
    await sqlOf(copyConfigured, 'DELETE FROM items WHERE id = 2; INSERT INTO items VALUES (3), (4)')
    await sqlOf(configured, 'INSERT INTO items VALUES (5), (6), (7)')
    const push = (files: boolean, tables: readonly string[]) =>
      runJob(machine, {
        ...pushing(configured, copyConfigured, tables),
        parts: { files, database: tables.length > 0, tables: [...tables] },
      } as SiteWork)
    const state = async () => [await visit(host, configured.domain), await sqlOf(configured, 'SELECT GROUP_CONCAT(id) FROM items')]
    const before = await state()
    expect(before).toEqual(['200 in', '1,2,5,6,7'])

    await upload(host, copyConfigured, 'index.php', '<?php http_response_code(500);')
    expect((await push(true, ['items'])).at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The first page of conf.test answered 200 before, and 500 now.'),
    })
    expect(await state()).toEqual(before)

    await upload(host, copyConfigured, 'index.php', page)
    await sqlOf(copyConfigured, 'CREATE FUNCTION one() RETURNS INT RETURN 1')
    const done = await push(true, ['items'])
    expect(done.at(-1)).toMatchObject({ status: 'done' })
    expect(await state()).toEqual(['200 in', '1,3,4'])
  })

  test('a backup and its restore keep former rows and a row of 9 MB; a view that nobody can read is left out and named', async () => {
    const { host, machine } = there()
    const begun = (await host.run('date +%s')).stdout.trim()
    const made = `CREATE TABLE hist (id INT PRIMARY KEY, price INT) WITH SYSTEM VERSIONING; INSERT INTO hist VALUES (1, 100);
      UPDATE hist SET price = 200; UPDATE hist SET price = 300; CREATE TABLE ar (id INT); CREATE VIEW fine AS SELECT id FROM ar;
      CREATE DEFINER = gone@'%' VIEW a_view AS SELECT id FROM ar;
      CREATE TABLE big (id INT PRIMARY KEY, b LONGBLOB); INSERT INTO big VALUES (1, REPEAT(UNHEX('00FF'), 4500000))`
    expect(await sqlOf(abroad, made)).toBe('')
    const limit = async () => (await host.run("mariadb -NBe 'SELECT @@GLOBAL.max_allowed_packet'")).stdout
    const before = await limit()
    const lines = await runJob(machine, backingUp(abroad))
    expect(lines.at(-1)).toMatchObject({ status: 'done' })
    expect(lines.map(({ message }) => message)).toContain(
      'Left out of the dump, because MariaDB cannot read them: a_view. See unreadable.txt in the backup.',
    )
    expect(await sqlOf(abroad, 'DROP TABLE hist, big; DROP VIEW a_view, fine')).toBe('')
    const [backup] = await machine.sites.listBackups(abroad)
    const restored = await runJob(machine, restoring(abroad, backup?.name ?? ''))
    expect(restored.at(-1)).toMatchObject({ status: 'done' })
    expect(
      await sqlOf(
        abroad,
        'SELECT price FROM hist FOR SYSTEM_TIME ALL ORDER BY 1; SELECT LENGTH(b), MD5(b) = MD5(REPEAT(UNHEX("00FF"), 4500000)) FROM big',
      ),
    ).toBe('100\n200\n300\n9000000\t1')
    expect(await sqlOf(abroad, 'SELECT table_name FROM information_schema.views WHERE table_schema = DATABASE()')).toBe('fine')
    const pulled = await pull(abroad, copyAbroad)
    expect(await sqlOf(copyAbroad, 'SELECT price FROM hist FOR SYSTEM_TIME ALL ORDER BY 1; SELECT LENGTH(b) FROM big')).toBe(
      '100\n200\n300\n9000000',
    )
    expect(await limit()).toBe(before)
    expect((await host.run(`journalctl --since @${begun} | grep -c '00FF00FF'`)).stdout.trim()).toBe('0')
    expect(JSON.stringify([...lines, ...restored, ...pulled])).not.toContain('00FF00FF')
  })

  test('a dump that does not load fails with the table’s name and without its rows', async () => {
    const { host, machine } = there()
    const folder = '/var/backups/gatehouse-sites'
    const [backup] = await machine.sites.listBackups(abroad)
    // Somebody else’s archive, whose row is there twice.
    const changed = `${abroad.domain}-20260101-000000-manual.tar.gz`
    const { stderr } = await host.run(`mkdir /root/changed && cd /root/changed && zstd -dc ${folder}/${backup?.name} | tar -xf - &&
      sed -i 's/^(1,0x00FF\\([0-9A-F]*\\))/(1,0x736563726574),(1,0x00FF\\1)/' database.sql &&
      zstd -dc ${folder}/${backup?.name} | tar -tf - >list && tar --no-recursion -czf ${folder}/${changed} -T list`)
    expect(stderr).toBe('')
    const lines = await runJob(machine, restoring(abroad, changed))
    expect(lines.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/ERROR \d+ .*\(in the table big\)/),
    })
    expect(JSON.stringify(lines)).not.toMatch(/00FF00FF|736563726574/)
    expect(await sqlOf(abroad, 'SELECT LENGTH(b) FROM big')).toBe('9000000')
  })

  test('the nightly backup proves views and triggers that run functions of their definers, and keeps former rows', async () => {
    const { host } = there()
    const made = `CREATE DATABASE shop; CREATE USER shop@localhost IDENTIFIED BY 'x'; GRANT ALL ON shop.* TO shop@localhost;
      USE shop; CREATE TABLE p (id INT PRIMARY KEY, net DECIMAL(9,2)); INSERT INTO p VALUES (1, 100);
      CREATE DEFINER=shop@localhost FUNCTION gross(n DECIMAL(9,2)) RETURNS DECIMAL(9,2) DETERMINISTIC RETURN n * 1.2;
      CREATE DEFINER=shop@localhost VIEW prices AS SELECT id, gross(net) AS g FROM p;
      CREATE DATABASE shop2; USE shop2; CREATE TABLE p (id INT PRIMARY KEY); CREATE DEFINER=shop@localhost VIEW v AS SELECT id FROM p;
      CREATE DATABASE shop3; USE shop3; CREATE TABLE p (id INT PRIMARY KEY);
      CREATE DEFINER=shop@localhost FUNCTION one() RETURNS INT DETERMINISTIC RETURN 1;
      CREATE DEFINER=shop@localhost TRIGGER t BEFORE INSERT ON p FOR EACH ROW SET NEW.id = one();
      CREATE DATABASE shop4; USE shop4; CREATE TABLE hist (id INT PRIMARY KEY, price INT) WITH SYSTEM VERSIONING;
      INSERT INTO hist VALUES (1, 100); UPDATE hist SET price = 200;`
    expect((await host.run('mariadb', { stdin: made })).stderr).toBe('')
    await putNightlyBackup(host)
    const backup = await backUp(there())
    expect([backup.code, backup.items[0]?.missing]).toEqual([0, []])
    const { stdout } = await host.run(
      `tar -xOzf /var/backups/gatehouse/${backup.items[0]?.name} databases/shop4.sql.gz | gzip -dc | sed 's/shop4/shop5/g' | mariadb && mariadb -NBe 'SELECT price FROM shop5.hist FOR SYSTEM_TIME ALL ORDER BY 1'`,
    )
    expect(stdout).toBe('100\n200\n')
  })
})
