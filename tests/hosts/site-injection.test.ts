/** Texts that do damage if they become part of a command: in every field of every operation on sites, and in what a site has stored. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { itemOf, siteOf } from '../service/conformance/sites'
import { get, post, type Said, send } from '../service/support/caller'
import { createSite, deleteSite } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { hostileTexts } from './hostile-texts'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { sftp } from './sites/sftp'

const chance = openChance()

const nasty = [...hostileTexts('touch /tmp/site-marker'), '%s%n', '#x', 'x'.repeat(4096)]
const onSites = operations.filter(({ path }) => path.startsWith('/sites'))

/** At both ends, and long enough. */
const passwords = nasty.map((text) => `${text} and again ${text}`)

/** A public key of its own for each text, which is its comment. */
function keyOf(text: string): string {
  const begin = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')
  return `ssh-ed25519 ${Buffer.concat([begin, createHash('sha256').update(text).digest()]).toString('base64')} ${text}`
}

/** A value of each field and each part of a path that could be meant. */
const meant: Readonly<Record<string, string>> = {
  domain: 'meant.example.org',
  alias: 'alias.example.org',
  password: 'a harbour in november',
  app: 'dokuwiki',
  log: 'access',
  www: '0',
  more: '0',
  status: '0',
  anyway: '0',
  files: '0',
  database: '1',
  new_password: '0',
  backup_first: '0',
  without_backup: '0',
  staging: '0',
  replace_live_changes: '0',
  upload_limit: '64',
  memory_limit: '256',
  folder: '',
  workers: '10',
  waiting: '30',
  www_redirect: '0',
  hsts: '0',
  mail_per_hour: '200',
  tables: 'none',
  user: 'info',
  destination: 'someone@example.net',
  key: keyOf('meant'),
  fingerprint: `SHA256:${'A'.repeat(43)}`,
  restore: 'one.test-20260101-000000-manual.tar.zst',
  ids: 'one.test-20260101-000000-manual.tar.zst',
}

/** What a text is put into, for fields that take nothing else. */
const frames: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  domain: [(text) => `${text}.example.org`],
  alias: [(text) => `${text}.example.org`],
  destination: [(text) => `${text}@example.net`, (text) => `someone@${text}.example.net`],
  folder: [(text) => `web/${text}`],
  key: [keyOf, (text) => `${text} ${keyOf('options')}`],
  fingerprint: [(text) => `SHA256:${text}`],
  backup: [(text) => `${text}-20260101-000000-delete.tar.zst`],
  restore: [(text) => `${text}-20260101-000000-manual.tar.zst`],
  ids: [(text) => `${text}-20260101-000000-manual.tar.zst`],
}

const withinAll = (field: string, text: string): string[] => [text, ...(frames[field] ?? []).map((within) => within(text))]

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let service: Awaited<ReturnType<typeof openHttpService>>
  let id: string
  let user: string
  let php: string
  beforeAll(async () => {
    admitted = await startInstalled(release)
    service = await openHttpService(admitted, { siteChecksMs: 100, summarySharedMs: 0 })
    const created = await createSite(service, { domain: 'one.test', server: service.id, password: meant.password ?? '' })
    expect(created).toMatchObject({ status: 200 })
    id = (await siteOf(service, 'one.test')).id
    user = String((await itemOf(service, `/sites/${id}/summary`)).user)
    php = String((await itemOf(service, `/sites/${id}/settings`)).php)
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await admitted?.[Symbol.asyncDispose]()
  })
  // Programs may have folders for temporary files of their own.
  afterEach(async () => {
    const { stdout } = await admitted.host.run(`find / -path /proc -prune -o -name '*site-marker' -print`)
    expect(stdout).toBe('')
  })

  const call = ({ method, path, fields }: Operation, changed: Record<string, string>): Promise<Said> => {
    const given: Record<string, string> = { ...meant, php, site_id: id, server: service.id, ...changed }
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
    const form = new URLSearchParams(
      Object.entries(fields).map(([name, { kind }]) => [kind === 'list' ? `${name}[]` : name, given[name] ?? '']),
    )
    return method === 'GET' ? get(service, `${address}?${form}`) : send(service, address, form)
  }

  test('security 57: any text in any field of a site is refused or taken, and runs nothing', async () => {
    // The copy, so that a push comes as far as its tables.
    expect(await post(service, `/sites/${id}/apps/pull`, { files: '1', database: '0', 'tables[]': '' })).toMatchObject({ status: 200 })
    const odd: unknown[] = []
    const taken = new Set<string>()
    for (const operation of onSites) {
      const names = [...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name), ...Object.keys(operation.fields)]
      for (const name of names.filter((name) => operation.id !== 'sites.create' || name !== 'password')) {
        for (const text of nasty.flatMap((text) => withinAll(name, text))) {
          const { status } = await call(operation, { [name]: text })
          if (status === 200) taken.add(`${operation.id} ${name}`)
          if (![200, 404, 409, 422].includes(status)) odd.push([operation.id, name, text, status])
        }
      }
    }
    expect(odd).toEqual([])
    const expected = ['database.save password', 'email.save destination', 'email.save password', 'sftp.save key', 'sites.configure folder']
    expect([...taken].sort()).toEqual(expected)
  })

  test('security 57: a site’s user signs in by SFTP with any password that was taken', async () => {
    for (const [at, password] of passwords.entries()) {
      const domain = `password-${at}.example.org`
      const { status, body } = await createSite(service, { domain, server: service.id, password })
      if (status !== 200) {
        expect([password, status]).toEqual([password, 422])
        continue
      }
      const { user } = await itemOf(service, `/sites/${body.id}/summary`)
      expect([password, await sftp(admitted.host, String(user), password, ['pwd'])]).toEqual([
        password,
        expect.stringContaining('Remote working directory: /public'),
      ])
      expect(await deleteSite(service, String(body.id), '?without_backup=1')).toMatchObject({ status: 200 })
    }
  })

  test('security 57: a database lets its user in with any password that was taken', async () => {
    for (const password of passwords) {
      const { status } = await post(service, `/sites/${id}/savedatabase`, { password })
      const entered = await admitted.host.run(`MYSQL_PWD=$(cat) mariadb -N -u ${user} ${user} -e 'SELECT 1'`, { stdin: password })
      if (status !== 200) expect([password, status]).toEqual([password, 422])
      else expect([password, entered]).toMatchObject([password, { stdout: '1\n' }])
    }
  })

  test('security 57: names of tables and files, whatever is in them, are copied, pushed, backed up and restored, and run nothing', async () => {
    const { host } = admitted
    const tables = nasty.map((text) => text.replace(' 🦊', '')).filter((text) => text !== '\0' && !/\s$/.test(text) && text.length <= 64)
    const quoted = tables.map((name) => `\`${name.replaceAll('`', '``')}\``)
    const made = quoted.map((name) => `CREATE TABLE ${name} (a INT) ENGINE=InnoDB; INSERT INTO ${name} VALUES (1);`)
    expect(await host.run(`mariadb --default-character-set=utf8mb4 ${user}`, { stdin: made.join('\n') })).toMatchObject({
      stderr: '',
      code: 0,
    })
    const files = nasty.map((text) => text.replaceAll('/', '')).filter((text) => text !== '\0' && text.length < 256)
    const create = `cd /home/${user}/public && xargs -0 touch -- && chown -R ${user}: .`
    expect(await host.run(create, { stdin: files.join('\0') })).toMatchObject({ code: 0 })
    const held = async (name: string) =>
      (
        await host.run(`mariadb -NBe 'SELECT HEX(table_name) FROM information_schema.tables WHERE table_schema = "${name}"' | sort
        cd /home/${name}/public && find . -print0 | sort -z | od -c`)
      ).stdout
    const before = await held(user)
    expect(await post(service, `/sites/${id}/apps/pull`, { files: '1', database: '1', 'tables[]': '' })).toMatchObject({ status: 200 })
    const { tables: known } = await itemOf(service, `/sites/${id}/staging`)
    const names = (known as { name: string; pulled: boolean }[]).map(({ name }) => name)
    expect(names).toHaveLength(tables.length)
    const plain = names.filter((name) => tables.includes(name))
    const parts = [['files', '1'], ['database', '1'], ...plain.map((name) => ['tables[]', name])]
    expect(await send(service, `/sites/${id}/apps/push`, new URLSearchParams(parts))).toMatchObject({ status: 200 })
    expect(await held(user)).toBe(before)
    expect(await get(service, `/sites/${id}/backup/creates`)).toMatchObject({ status: 200 })
    const { body } = await get(service, `/sites/${id}/backups`)
    const newest = (body.items as { name: string }[]).find(({ name }) => name.includes('-manual'))
    expect(await post(service, `/sites/${id}`, { restore: newest?.name ?? '' })).toMatchObject({ status: 200 })
    expect(await held(user)).toBe(before)
    expect(await deleteSite(service, id)).toMatchObject({ status: 200 })
  })
})
