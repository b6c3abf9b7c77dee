/** Staging copies on a real host: pulled, changed on both sides, pushed. The other site is there throughout, and answers. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CopiedParts, SiteOnHost, SiteWork } from '@/lib/service/machines/sites'
import { proveStaging } from '../service/conformance/staging'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { startAuthority } from './lab/authority'
import type { Host } from './lab/lab'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { visitSecurely } from './sites/https'
import { phpPage, watchSite } from './sites/php-page'
import { sftp } from './sites/sftp'
import { creation, databasePassword, deletion, endOf, runJob, siteNamed, switchingSsl, tracesOf, upload, visit } from './sites/site-job'

const chance = openChance()
const live = siteNamed('livetest1a2b', 'live.test', ['www.live.test'])
const copy = siteNamed('stagingtest3c4d', 'staging.live.test')
const other = siteNamed('othertest5e6f', 'other.test')
const password = 'a-password-for-browsers'
const authority = { directory: '', roots: '', contact: '' }

const everything: CopiedParts = { files: true, database: true, tables: [] }
const pulling = (parts: CopiedParts = everything, given = '', isNew = false, from = authority): SiteWork => ({
  kind: 'pull',
  site: live,
  copy,
  parts,
  isNew,
  password: given,
  authority: from,
  refused: [],
})
const pushing = (parts: CopiedParts): SiteWork => ({ kind: 'push', site: live, copy, parts, replace: false })

/** A text as PHP serializes it, by its bytes. */
const serialized = (text: string): string => `s:${Buffer.byteLength(text)}:"${text}";`
const nested = (url: string): string => `a:1:{i:0;${serialized(`a:1:{${serialized('ü')}${serialized(`${url}/ü`)}}`)}}`

/** Tables that belong together, one of MyISAM, a trigger, a view, multibyte text, and values within values. */
const tables = `
CREATE TABLE wp_options (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(191) UNIQUE, value LONGTEXT, seen TIMESTAMP DEFAULT '2020-01-01' ON UPDATE CURRENT_TIMESTAMP) ENGINE=InnoDB;
INSERT INTO wp_options (name, value) VALUES ('home', 'http://live.test'), ('nested', '${nested('http://www.live.test')}');
CREATE TABLE parents (id INT PRIMARY KEY, url TEXT) ENGINE=InnoDB;
CREATE TABLE children (id INT PRIMARY KEY, parent INT, CONSTRAINT fk_parent FOREIGN KEY (parent) REFERENCES parents (id)) ENGINE=InnoDB;
CREATE TABLE counts (n INT) ENGINE=InnoDB;
CREATE TABLE old (word TEXT) ENGINE=MyISAM;
INSERT INTO parents VALUES (1, 'http://live.test/1');
INSERT INTO children VALUES (1, 1);
INSERT INTO old VALUES ('http://live.test/old'), ('http://live.test/old');
CREATE TABLE notes (id INT PRIMARY KEY, text TEXT) ENGINE=InnoDB;
INSERT INTO notes VALUES (1, 'http://live.test/note');
CREATE TRIGGER counting AFTER INSERT ON notes FOR EACH ROW INSERT INTO counts VALUES (NEW.id);
CREATE FUNCTION own_url (url TEXT) RETURNS TEXT DETERMINISTIC RETURN url;
CREATE VIEW family AS SELECT c.id, own_url(p.url) AS url FROM children c JOIN parents p ON p.id = c.parent;
`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  // MariaDB of Debian 12 takes no white space at the end of a name.
  const oddName = release === 'bookworm' ? 'two\n`lines`' : 'two `lines`\n'
  const oddTable = `\`${oddName.replaceAll('`', '``')}\``
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    for (const site of [live, other]) expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
    const odd = `CREATE TABLE ${oddTable} (word TEXT); INSERT INTO ${oddTable} VALUES ('odd'); CREATE VIEW odd_view AS SELECT word FROM ${oddTable};`
    expect((await sqlOf(admitted.host, live, tables + odd)).stderr).toBe('')
    await upload(admitted.host, live, 'wp-config.php', config(live))
    await upload(admitted.host, live, 'index.php', page)
    await upload(admitted.host, live, 'text.txt', 'of live')
    for (const site of [live, other]) await upload(admitted.host, site, 'php.php', phpPage)
    await upload(admitted.host, other, 'index.php', '<?php echo "other";')
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  const facts = () => admitted.machine.sites.staging(live, copy)
  const query = async (site: SiteOnHost, sql: string) => (await sqlOf(admitted.host, site, sql)).stdout.trim()

  test('nothing is made where tables lack their partners or do not exist', async () => {
    const { host, machine } = admitted
    const before = await tracesOf(host)
    const refusals: [string[], RegExp][] = [
      [['children'], /children cannot be copied without parents/],
      [['notes'], /notes cannot be copied without counts/],
      [['none'], /no table none/],
      [["x`; DROP TABLE notes; '$(touch /tmp/canary)"], /no table/],
    ]
    for (const [names, why] of refusals) {
      expect(await endOf(machine, pulling({ ...everything, tables: names }, password))).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringMatching(why),
      })
    }
    expect(await tracesOf(host)).toBe(before)
    const { mixed, exists, tables: known } = await machine.sites.staging(live, null)
    expect({ mixed, exists }).toEqual({ mixed: true, exists: false })
    expect(Object.fromEntries(known.map(({ name, partners }) => [name, partners]))).toEqual({
      children: ['parents'],
      counts: ['notes'],
      notes: ['counts'],
      old: [],
      parents: ['children'],
      wp_options: [],
      [oddName]: [],
    })
  })

  test('the first pull makes the copy: its own database, addresses changed however deep, protected, and not acting as live', async () => {
    const { host, machine } = admitted
    const watching = watchSite(host, other.domain)
    const lines = await runJob(machine, pulling(everything, password))
    expect(lines.at(-1)).toMatchObject({ status: 'done', answer: 'http://staging.live.test' })
    expect(JSON.stringify(lines)).not.toContain(password)
    expect(await watching.stop()).toMatchObject({ failed: [] })
    expect(await query(copy, "SELECT value FROM wp_options WHERE name = 'home'")).toBe('http://staging.live.test')
    expect(await query(copy, "SELECT value FROM wp_options WHERE name = 'nested'")).toBe(nested('http://staging.live.test'))
    expect(await query(copy, 'SELECT MAX(seen) FROM wp_options')).toBe(await query(live, 'SELECT MAX(seen) FROM wp_options'))
    expect(await query(copy, 'SELECT url FROM family')).toBe('http://staging.live.test/1')
    expect(await query(copy, 'SELECT word FROM old LIMIT 1')).toBe('http://staging.live.test/old')
    expect(await query(copy, 'SELECT word FROM odd_view')).toBe('odd')
    expect(await query(copy, 'SELECT definer FROM information_schema.triggers WHERE trigger_schema = DATABASE()')).toBe(
      `${copy.name}@localhost`,
    )
    expect(await query(live, 'SELECT url FROM family')).toBe('http://live.test/1')
    expect(await visit(host, copy.domain)).toMatch(/^401/)
    expect(await visitAs(host, copy.domain, '/')).toMatchObject({
      status: 200,
      text: `${copy.name} staging cron-off http://staging.live.test auth-`,
      robots: expect.stringContaining('noindex'),
    })
    expect((await visitAs(host, copy.domain, '/', 'wrong')).status).toBe(401)
    expect((await visitAs(host, copy.domain, '/wp-cron.php')).status).toBe(403)
    expect((await visitAs(host, copy.domain, '/?mail=1')).text).toContain('sent')
    expect((await host.run(`cat /home/${copy.name}/private/mail/*.eml`)).stdout).toContain('Subject: from staging')
    expect((await host.run('postqueue -p')).stdout).toContain('empty')
    expect((await host.run(`cat /home/${copy.name}/public/wp-config.php`)).stdout).not.toContain(live.name)
    expect((await host.run(`stat -c '%U %G' /home/${copy.name}/public/text.txt`)).stdout.trim()).toBe(`${copy.name} ${copy.name}`)
    expect((await host.run('mariadb -NBe "SHOW DATABASES; SELECT user FROM mysql.global_priv" | grep -E \'_(new|old)$\'')).stdout).toBe('')
  })

  test('new passwords open the copy: by its own SFTP, and its database with what the app’s own configuration says', async () => {
    const { host, machine } = admitted
    await machine.users.setPassword(copy.name, 'for uploads')
    const said = await sftp(host, copy.name, 'for uploads', ['put /etc/hostname /public/by-sftp.txt', 'ls /', 'ls /public'])
    expect(said).toContain('/public/by-sftp.txt')
    expect(said).not.toContain(live.name)
    const rewritten = await machine.sites.setDatabasePassword(copy, `it's "new" \\ ü`)
    expect(rewritten).toEqual([`/home/${copy.name}/public/wp-config.php`])
    // PHP is reloaded meanwhile.
    await expect
      .poll(async () => (await visitAs(host, copy.domain, '/')).text, { timeout: 1000 })
      .toContain('cron-off http://staging.live.test')
    expect(await visit(host, live.domain)).toContain('cron-on http://live.test')
  })

  test('one table is pulled alone, whatever its name', async () => {
    await query(live, `UPDATE ${oddTable} SET word = 'odder'`)
    expect(await endOf(admitted.machine, pulling({ files: false, database: true, tables: [oddName] }))).toMatchObject({ status: 'done' })
    expect(await query(copy, 'SELECT word FROM odd_view')).toBe('odder')
  })

  test('what changed on live since the pull is named; a table that was only read is not', async () => {
    await query(live, 'SELECT COUNT(*) FROM wp_options')
    expect((await facts()).tables.filter(({ pulled, changed }) => !pulled || changed)).toEqual([])
    await query(live, "INSERT INTO notes VALUES (2, 'new')")
    const changed = (await facts()).tables.filter((table) => table.changed).map(({ name }) => name)
    expect(changed).toEqual(['counts', 'notes'])
  })

  test('a push replaces what was chosen after a backup, and nothing else; live answers throughout', async () => {
    const { host, machine } = admitted
    await query(copy, "UPDATE wp_options SET value = 'http://staging.live.test/pushed' WHERE name = 'home'")
    await upload(host, copy, 'text.txt', 'of staging')
    const watching = watchSite(host, live.domain)
    const end = await endOf(machine, pushing({ files: true, database: true, tables: ['wp_options'] }))
    expect(end).toMatchObject({ status: 'done', answer: expect.stringMatching(/^live\.test-.*-push\.tar/) })
    expect(await watching.stop()).toMatchObject({ failed: [] })
    expect((await host.run(`ls /var/backups/gatehouse-sites/${end?.answer}`)).code).toBe(0)
    expect(await query(live, "SELECT value FROM wp_options WHERE name = 'home'")).toBe('http://live.test/pushed')
    expect(await query(live, 'SELECT COUNT(*) FROM notes')).toBe('2')
    expect(await visit(host, live.domain, '/text.txt')).toBe('200 of staging')
    expect(await visit(host, live.domain)).toBe(`200 ${live.name} production cron-on http://live.test/pushed auth-`)
    expect((await host.run(`cat /home/${live.name}/public/wp-config.php`)).stdout).toBe(config(live))
    expect((await facts()).tables.find(({ name }) => name === 'wp_options')).toMatchObject({ pulled: true, changed: false })
  })

  test('a push that fails leaves live as it was, also if its backup does', async () => {
    const { host, machine } = admitted
    const state = async () => [
      await query(live, 'CHECKSUM TABLE wp_options, notes, counts, parents, children'),
      await query(live, 'SHOW TRIGGERS'),
      (await host.run(`cd /home/${live.name} && find . -path ./private -prune -o -type f -exec sha256sum {} +`)).stdout,
    ]
    await upload(host, copy, 'text.txt', 'never')
    // Two triggers of one database cannot have the same name: that shows only once the tables have been exchanged.
    await query(live, 'CREATE TRIGGER clash BEFORE UPDATE ON wp_options FOR EACH ROW SET NEW.name = NEW.name')
    await query(copy, 'CREATE TRIGGER clash BEFORE UPDATE ON parents FOR EACH ROW SET NEW.url = NEW.url')
    const before = await state()
    const related: CopiedParts = { files: true, database: true, tables: ['parents', 'children'] }
    expect(await endOf(machine, pushing(related))).toMatchObject({ status: 'failed', error: expect.stringContaining('rigger') })
    expect(await state()).toEqual(before)
    expect(await query(live, 'SELECT url FROM family')).toBe('http://live.test/1')
    expect((await host.run("mariadb -NBe 'SHOW DATABASES' | grep -E '_(new|old)$'")).stdout).toBe('')
    await host.run('mv /var/backups/gatehouse-sites /var/backups/kept && echo >/var/backups/gatehouse-sites')
    expect(await endOf(machine, pushing({ files: true, database: false, tables: [] }))).toMatchObject({ status: 'failed' })
    await host.run('rm /var/backups/gatehouse-sites && mv /var/backups/kept /var/backups/gatehouse-sites')
    expect(await state()).toEqual(before)
  })

  test('security 61: links that programs of a site put in the way lead a copy to nobody else’s files', async () => {
    const { host, machine } = admitted
    await upload(host, other, 'secret.txt', 'of the other site')
    await host.run(
      `cd /home/${live.name}/public && runuser -u ${live.name} -- sh -c 'ln -s /home/${other.name}/public theirs; ln -s /etc/shadow shadow'`,
    )
    expect(await endOf(machine, pulling({ files: true, database: false, tables: [] }))).toMatchObject({ status: 'done' })
    const found = await host.run(`cd /home/${copy.name}/public && stat -c '%N %F' theirs shadow && grep -rs 'of the other site' . ; true`)
    expect(found.stdout).toContain('symbolic link')
    expect(found.stdout).not.toContain('of the other site')
    expect((await visitAs(host, copy.domain, '/theirs/secret.txt')).status).toBe(403)
  })

  test('a new password alone copies nothing, and a copy that was left half made is made again', async () => {
    const { host, machine } = admitted
    const nothing: CopiedParts = { files: false, database: false, tables: [] }
    const { pulledAt } = await facts()
    await upload(host, copy, 'text.txt', 'not pulled again')
    const renewed = await runJob(machine, pulling(nothing, 'another-password'))
    expect(renewed.at(-1)).toMatchObject({ status: 'done', message: `${copy.domain} has a new password.` })
    expect(renewed.map(({ step }) => step)).not.toContain('Exchange')
    expect((await visitAs(host, copy.domain, '/text.txt')).status).toBe(401)
    expect(await visitAs(host, copy.domain, '/text.txt', 'another-password')).toMatchObject({ status: 200, text: 'not pulled again' })
    expect((await facts()).pulledAt).toBe(pulledAt)
    // As a job that was killed may leave it.
    await host.run(`rm /etc/apache2/sites-available/zz-gatehouse-${copy.name}.conf && mariadb -e 'DROP DATABASE ${copy.name}'`)
    expect(await endOf(machine, pulling(everything, password, true))).toMatchObject({ status: 'done' })
    expect((await visitAs(host, copy.domain, '/text.txt')).text).toBe('of staging')
  })

  test('the nightly backup makes one of the live site and none of its copy', async () => {
    const { host } = admitted
    await host.run('systemctl start gatehouse-backup.service')
    const made = (await host.run('ls /var/backups/gatehouse-sites')).stdout
    expect(made).toMatch(/^live\.test-.*-nightly\.tar/m)
    expect(made).not.toMatch(/^staging\.live\.test-/m)
  })

  test('while live has SSL, its copy asks for its password over https only, and answers nobody before it has a certificate', async () => {
    const { host, machine } = admitted
    await using trusted = await startAuthority()
    const from = { directory: trusted.directory, roots: trusted.roots, contact: '' }
    const root = await trusted.chainRoot()
    await host.run('cp /etc/resolv.conf /root/resolv.conf')
    await trusted.serveNames(host)
    for (const name of [live.domain, 'www.live.test']) await trusted.addAddresses(name, [host.ip])
    const overHttp = async () => [
      (await visit(host, copy.domain)).slice(0, 3),
      ...(await Promise.all(['/', '/text.txt', '/wp-cron.php'].map(async (path) => (await visitAs(host, copy.domain, path)).status))),
    ]
    const refused = ['403', 403, 403, 403]
    expect(await endOf(machine, switchingSsl(live, true, from))).toMatchObject({ status: 'done' })
    expect(await overHttp()).toEqual(refused)
    for (const isNew of [true, false]) {
      expect(await endOf(machine, pulling(everything, password, isNew, from))).toMatchObject({
        status: 'done',
        answer: 'http://staging.live.test',
        message: expect.stringMatching(/It answers nobody until it has a certificate: staging\.live\.test has no address in DNS/),
      })
      expect(await overHttp()).toEqual(refused)
    }
    expect(await visit(host, copy.domain)).toContain('pull it again')
    await expect(visitSecurely(host, copy.domain, root)).rejects.toThrow()

    await trusted.addAddresses(copy.domain, [host.ip])
    expect(await endOf(machine, pulling(everything, '', false, from))).toMatchObject({
      status: 'done',
      answer: 'https://staging.live.test',
      message: 'staging.live.test is a copy of live.test now.',
    })
    expect(await overHttp()).toEqual(['301', 301, 301, 301])
    expect(await visitSecurely(host, copy.domain, root)).toMatchObject({ status: 401, names: copy.domain })
    expect(await visitSecurely(host, copy.domain, root, '/', 'staging:wrong')).toMatchObject({ status: 401 })
    expect(await visitSecurely(host, copy.domain, root, '/', `staging:${password}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining('cron-off https://staging.live.test'),
    })
    await host.run('cp /root/resolv.conf /etc/resolv.conf')
  })

  test('a site is deleted with its staging copy, and leaves nothing', async () => {
    const { host, machine } = admitted
    expect(await endOf(machine, deletion(live, false))).toMatchObject({ status: 'done' })
    expect(await tracesOf(host)).not.toMatch(/livetest1a2b|stagingtest3c4d/)
    expect(await visit(host, other.domain)).toBe('200 other')
  })

  test('staging copies on a host pass the same conformance tests as on the sandbox', async () => {
    const { host, machine } = admitted
    expect(await endOf(machine, deletion(other, false))).toMatchObject({ status: 'done' })
    await using service = await openHttpService(admitted, { siteChecksMs: 100, summarySharedMs: 0 })
    const fill = async (user: string) => {
      const plain = ['users', 'usermeta', 'options', 'posts', 'comments', 'woocommerce_order_items']
      const made = plain.map((name) => `CREATE TABLE wp_${name} (id INT PRIMARY KEY, text LONGTEXT);`).join('\n')
      const joined = `CREATE TABLE wp_wc_orders (id INT PRIMARY KEY); INSERT INTO wp_wc_orders VALUES (1);
        CREATE TABLE wp_wc_order_addresses (id INT PRIMARY KEY, o INT, FOREIGN KEY (o) REFERENCES wp_wc_orders (id));`
      await sqlOf(host, { name: user }, made + joined)
    }
    await proveStaging({ ...service, fill }, { ...service, key: await service.createKey('stranger') })
  })
})

const sqlOf = (host: Host, { name }: Pick<SiteOnHost, 'name'>, sql: string) =>
  host.run(`mariadb -NB --default-character-set=utf8mb4 ${name}`, { stdin: sql })

/** As WordPress has it. */
const config = ({ name }: SiteOnHost): string =>
  `<?php\ndefine( 'DB_NAME', '${name}' );\ndefine( 'DB_USER', '${name}' );\ndefine( 'DB_PASSWORD', '${databasePassword.replace(/[\\']/g, '\\$&')}' );\ndefine( 'DB_HOST', 'localhost' );\n`

/** Tells which database it has, as what it runs, its address from its database if it may read that, and the login that it was given. */
const page = `<?php
require __DIR__ . '/wp-config.php';
if (isset($_GET['mail'])) exit(mail('somebody@example.org', 'from staging', 'text', '', '-fme@example.org') ? 'sent' : 'not sent');
$home = '';
try {
  $home = (new mysqli('localhost', DB_USER, DB_PASSWORD, DB_NAME))->query("SELECT value FROM wp_options WHERE name = 'home'")->fetch_row()[0];
} catch (mysqli_sql_exception) {
}
echo DB_NAME, ' ', getenv('WP_ENVIRONMENT_TYPE') ?: 'production', ' ', defined('DISABLE_WP_CRON') ? 'cron-off' : 'cron-on', ' ', $home, ' auth-', $_SERVER['PHP_AUTH_USER'] ?? '';
`

type Page = { status: number; text: string; robots: string }

/** Signed in as a browser does. */
function visitAs(host: Host, domain: string, path: string, given = password): Promise<Page> {
  return new Promise((resolve, reject) => {
    const options = { host: host.ip, path, headers: { host: domain }, auth: `staging:${given}`, agent: false }
    const asked = request(options, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          robots: String(reply.headers['x-robots-tag'] ?? ''),
        }),
      )
    })
    asked.once('error', reject)
    asked.end()
  })
}
