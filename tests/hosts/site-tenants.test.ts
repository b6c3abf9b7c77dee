/** What somebody who owns a site, its database or its domain can do to other sites, and to the work of Gatehouse on the server. */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { backingUp, creation, databasePassword, deletion, endOf, siteNamed, upload, visit } from './sites/site-job'

const chance = openChance()

const one = siteNamed('oneowner1a2b', 'one.test')
const two = siteNamed('twoowner3c4d', 'two.test')
const three = siteNamed('threeowner5e', 'three.test')

let admitted: AdmittedHost
let authority: Authority

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    for (const site of [one, two]) expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  /** Runs statements as the site's own database user, each in turn; what failed is printed. */
  const asOwner = async ({ name }: typeof one, ...statements: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await admitted.host.run(
      `MYSQL_PWD=$(cat) mariadb -N -u ${name} ${name} -e "$(base64 -d <<<'${Buffer.from(statements.join(';\n')).toString('base64')}')"`,
      { stdin: databasePassword },
    )
    return stdout + stderr
  }

  test('security 61: no program of the server sees which pages of other sites are requested', async () => {
    const { host } = admitted
    const ask = `<?php foreach (['one.test', 'two.test', 'none.test', 'localhost'] as $name) {
    $context = stream_context_create(['http' => ['header' => "Host: $name\\r\\n", 'ignore_errors' => true]]);
    echo file_get_contents('http://127.0.0.1/server-status', false, $context);
  }`
    await upload(host, two, 'status.php', ask)
    for (let at = 0; at < 5; at++) await visit(host, one.domain, '/?token=of-a-visitor')
    const said = await visit(host, two.domain, '/status.php')
    expect(said).toMatch(/^200 /)
    expect(said).not.toMatch(/of-a-visitor|Apache Server Status/)
  })

  test('security 61: a link of root’s in a folder that is served is found by the next check, until it is gone', async () => {
    const { host, machine } = admitted
    const found = async () => (await machine.summary()).foreign_links
    await host.run('rm -rf /run/gatehouse-links')
    expect(await found()).toEqual([])
    // Sites in which nothing was found are asked again after an hour.
    await host.run(
      `mkdir -p /home/${two.name}/public/deep && ln -s ../there '/home/${two.name}/public/deep/link ü' && rm -rf /run/gatehouse-links`,
    )
    await host.run(`runuser -u ${one.name} -- ln -s /etc /home/${one.name}/public/own`)
    expect(await found()).toEqual(['two.test: deep/link ü'])
    await host.run(`rm '/home/${two.name}/public/deep/link ü' /home/${one.name}/public/own`)
    expect(await found()).toEqual([])
  })

  const slowVisitor = (ip: string): Socket => {
    const socket = connect(80, ip, () => socket.write('GET /large.bin HTTP/1.1\r\nHost: two.test\r\n\r\n'))
    socket.on('error', () => {})
    socket.once('data', () => socket.pause())
    return socket
  }

  test('visitors who take their time keep no other site from answering, however often Apache is reloaded', async () => {
    const { host } = admitted
    await host.run(`truncate -s 300M /home/${two.name}/public/large.bin; chown ${two.name}: /home/${two.name}/public/large.bin`)
    const visitors: Socket[] = []
    try {
      for (let at = 0; at < 14; at++) {
        for (let count = 0; count < 60; count++) visitors.push(slowVisitor(host.ip))
        await delay(700)
        await host.run('systemctl reload apache2')
      }
      await delay(1000)
      expect((await host.run('grep -c AH03490 /var/log/apache2/error.log')).stdout.trim()).toBe('0')
      expect(await visit(host, one.domain)).toMatch(/^200 .*This site is ready/s)
    } finally {
      for (const visitor of visitors) visitor.destroy()
    }
  })

  test('a database with prepared transactions, broken views and tables without their parts is backed up and deleted', async () => {
    const { machine, host } = admitted
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    const said = await asOwner(
      three,
      'CREATE TABLE kept (word TEXT)',
      `INSERT INTO kept VALUES ('is kept')`,
      'CREATE TABLE held (a INT)',
      'CREATE TABLE part (a INT) ENGINE=MyISAM',
      'CREATE TABLE whole (a INT) ENGINE=MERGE UNION=(part)',
      'DROP TABLE part',
      'CREATE TABLE gone (a INT)',
      'CREATE VIEW `bro``ken "view"` AS SELECT a FROM gone',
      'DROP TABLE gone',
      `XA START 'it''s', 'held'`,
      'INSERT INTO held VALUES (1)',
      `XA END 'it''s', 'held'`,
      `XA PREPARE 'it''s', 'held'`,
    )
    expect(said).toBe('')
    // A backup without a table would be taken for whole, so only the last one of all is made.
    expect(await endOf(machine, backingUp(three))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The table whole cannot be read: '),
    })
    const last = await endOf(machine, deletion(three))
    expect(last).toMatchObject({ status: 'done' })
    const inside = (await host.run(`tar -xOf /var/backups/gatehouse-sites/three.test-*-delete.tar.zst database.sql unreadable.txt`)).stdout
    for (const text of ['is kept', 'Dump completed', 'bro`ken "view"']) expect(inside).toContain(text)
    expect((await host.run(`mariadb -N -e 'SHOW DATABASES; XA RECOVER'`)).stdout).not.toMatch(/three|held/)
  })

  test('where other databases are, prepared transactions are left alone, and the deletion says what to do', async () => {
    const { machine, host } = admitted
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    const prepare = (id: string) => `XA START '${id}'; INSERT INTO held VALUES (1); XA END '${id}'; XA PREPARE '${id}'`
    await asOwner(three, 'CREATE TABLE held (a INT)', prepare('of-the-site'))
    await host.run(`mariadb -e "CREATE DATABASE app; USE app; CREATE TABLE held (a INT); ${prepare('of-the-app')}"`)
    expect(await endOf(machine, deletion(three, false))).toMatchObject({
      // The site is down by then, so this is no refusal: the page offers only to delete it.
      status: 'failed',
      halfDone: true,
      error: expect.stringMatching(/Prepared transactions hold the tables of the site, or may\. See XA RECOVER/),
    })
    expect((await host.run(`mariadb -N -e 'XA RECOVER'`)).stdout).toMatch(/of-the-app/)
    await host.run(`mariadb -e "XA ROLLBACK 'of-the-app'; XA ROLLBACK 'of-the-site'; DROP DATABASE app"`)
    expect(await endOf(machine, deletion(three, false))).toMatchObject({ status: 'done' })
  })

  test('a dump that is a thousand times larger than its compressed table does not fill the disk', async () => {
    const { machine, host } = admitted
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    const fill = Array.from({ length: 30 }, () => `INSERT INTO small VALUES (REPEAT('x', 15000000))`)
    expect(await asOwner(three, 'CREATE TABLE small (a LONGTEXT COMPRESSED)', ...fill)).toBe('')
    const free = `df -B1 --output=avail /var/backups | tail -n 1`
    await host.run(`fallocate -l $(( $(${free}) - 400000000 )) /var/filler`)
    const lowest = host.run(
      `low=$(${free}); until [ -e /run/enough ]; do now=$(${free}); ((now < low)) && low=$now; sleep 0.02; done; echo $low`,
    )
    const last = await endOf(machine, deletion(three))
    await host.run('touch /run/enough; rm /var/filler')
    expect(last).toMatchObject({ status: 'failed' })
    expect(Number((await lowest).stdout)).toBeGreaterThan(100_000_000)
    expect((await host.run('ls -A /var/backups/gatehouse-sites')).stdout).not.toMatch(/making/)
    expect(await endOf(machine, deletion(three, false))).toMatchObject({ status: 'done' })
  })

  test('a database user who has set an empty password gets another one', async () => {
    const { machine } = admitted
    expect(await asOwner(two, `SET PASSWORD = ''`)).toBe('')
    expect(await machine.sites.setDatabasePassword(two, databasePassword)).toEqual([])
    expect(await asOwner(two, 'SELECT 1')).toBe('1\n')
  })

  test('addresses that no server can have are said to be wrong, and never asked', async () => {
    const { host, machine } = admitted
    await authority.serveNames(host)
    await host.run('ip address add 169.254.169.254/32 dev lo')
    for (const address of ['0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255']) {
      await authority.clear('two.test')
      await authority.addAddresses('two.test', [address])
      expect(await machine.sites.checkNames(two)).toEqual([
        { name: 'two.test', result: 'blocked', reason: expect.stringContaining(`DNS points to ${address}, which no server`) },
      ])
    }
    expect((await host.run(`grep -c acme-challenge/gatehouse /var/log/gatehouse-sites/${two.name}/access.log`)).stdout.trim()).toBe('0')
  })
})
