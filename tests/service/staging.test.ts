/** What is read of staging copies, that they are reached through their live sites alone, and what follows a pull that was not taken back. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseStaging, readStaging } from '@/lib/service/machines/debian/sites/staging/facts'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { privateTables } from '@/lib/service/machines/staging'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { openStore } from '@/lib/service/store/db'
import { register } from './conformance/servers'
import { get, post, readInstall } from './support/caller'
import { openTestService, type TestService } from './support/service'
import { createSite, type Parts, streamPull } from './support/slow-work'

const table = (name: string, rows = 1) => ({ name, rows })

const wordPress = ['users', 'usermeta', 'options', 'posts', 'postmeta', 'comments', 'commentmeta'].map((name) => table(`wp_${name}`))

test('tables of a known app that belong to live are named, and those of others with such names are not', () => {
  const words = privateTables([...wordPress, table('users'), table('comments'), table('my_orders')])
  expect(Object.fromEntries(words)).toEqual({
    wp_users: 'users',
    wp_usermeta: 'users',
    wp_comments: 'comments',
    wp_commentmeta: 'comments',
  })
  expect(privateTables([table('users'), table('usermeta'), table('comments')]).size).toBe(0)
})

test('orders of a shop are where it keeps them: in tables of their own, or among its posts', () => {
  const shop = [...wordPress, table('wp_woocommerce_order_items', 3), table('wp_woocommerce_sessions')]
  const modern = privateTables([...shop, table('wp_wc_orders', 3), table('wp_wc_orders_meta')])
  expect(modern.get('wp_wc_orders')).toBe('orders')
  expect(modern.get('wp_wc_orders_meta')).toBe('orders')
  expect(modern.get('wp_woocommerce_sessions')).toBe('carts')
  expect(modern.get('wp_posts')).toBeUndefined()
  const older = privateTables([...shop, table('wp_wc_orders', 0)])
  expect([older.get('wp_posts'), older.get('wp_postmeta')]).toEqual(['orders', 'orders'])
})

test('facts of a server are read whatever a table is called, and without a copy', () => {
  const hex = (name: string) => Buffer.from(name).toString('hex').toUpperCase()
  const partners = `${hex('b')} ${hex('a')}`
  const printed = [
    'files\t4096',
    'mixed',
    'copy\t2026-11-25T01:02:03Z',
    `table\t${hex('a\tü')}\t16384\t7\tpulled\tchanged\t${partners}`,
    `table\t${hex('plain')}\t0\t0\t\t\t`,
    '{"code":"live-changes","count":3,"noted":"yes"}',
    '{"code":"changed-on-both","path":"ü.css"}',
    '{"code":"changed","path":"uploads/one two.jpg"}',
    '{"code":"changed","path":"gone.txt"}',
    '{"code":"changed","path":"cut',
  ]
  expect(parseStaging(printed.join('\n'))).toEqual({
    exists: true,
    pulledAt: '2026-11-25T01:02:03Z',
    filesBytes: 4096,
    mixed: true,
    tables: [
      { name: 'a\tü', bytes: 16_384, rows: 7, pulled: true, changed: true, partners: ['a', 'b'] },
      { name: 'plain', bytes: 0, rows: 0, pulled: false, changed: false, partners: [] },
    ],
    liveChanges: { count: 3, names: ['uploads/one two.jpg', 'gone.txt'], conflicts: ['ü.css'], noted: true },
  })
  const none = { exists: false, pulledAt: '', filesBytes: null, mixed: false, tables: [], liveChanges: null }
  expect(parseStaging('files\t\n')).toEqual(none)
})

test.each([
  ['takes it', 0, { count: 2, names: [], conflicts: [], noted: false }],
  ['has no room for it', 28, null],
])('a server that lacks Gatehouse’s program and %s', async (_, code, liveChanges) => {
  const printed = ['files\t1\nlacking\n', 'files\t1\n{"code":"live-changes","count":2,"noted":"no"}\n']
  const connections = {
    read: async () => ({ code: 0, stdout: printed.shift() ?? '', stderr: '', truncated: false }),
    change: async () => ({ code, stdout: '', stderr: '', truncated: false }),
  } as unknown as Connections
  const site = { id: 'a', name: 'one', domain: 'one.test', aliases: [] } as unknown as SiteOnHost
  const facts = await readStaging(connections, {} as HostAddress, site, { ...site, name: 'onestaging' })
  expect(facts).toMatchObject({ filesBytes: 1, liveChanges })
})

const all: Parts = { files: '1', database: '1', tables: [] }

async function pulled(service: TestService, domain: string): Promise<string> {
  const { id: server } = await register(service, { provider: 'sandbox', host: 's.test', port: '22', user: 'root', pass: 'open' }, 'web')
  await readInstall(service, server)
  const { body } = await createSite(service, { domain, server, password: 'let me in, please' })
  const { events } = await streamPull(service, String(body.id), all)
  expect(events.at(-1)).toMatchObject({ status: 'done' })
  return String(body.id)
}

test('no operation reaches a staging copy by its own id', async () => {
  await using service = await openTestService()
  await pulled(service, 'app.example.org')
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const { id } = await db.site.findFirstOrThrow({ where: { domain: 'staging.app.example.org' } })
  await db.$disconnect()
  const missing = { status: 404, body: { code: 'not_found' } }
  const reads = ['summary', 'staging', 'email', 'backups', 'backup/creates', 'download', 'apps', 'install/wordpress', 'delete']
  for (const path of reads) expect({ path, ...(await get(service, `/sites/${id}/${path}`)) }).toMatchObject({ path, ...missing })
  const changes: [string, Record<string, string>][] = [
    ['/savealias', { alias: 'www.staging.app.example.org' }],
    ['/setemail', { status: '1' }],
    ['/apps/push', { files: '1', database: '0', 'tables[]': '' }],
    ['', { restore: 'app.example.org-20261125-000000-manual.tar.zst' }],
  ]
  for (const [path, fields] of changes) {
    expect({ path, ...(await post(service, `/sites/${id}${path}`, fields)) }).toMatchObject({ path, ...missing })
  }
})

test('a staging copy that a pull has left half made counts as none, and the next pull makes it again with a password', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const id = await pulled(service, 'app.example.org')
  const db = openStore(join(service.dir, 'data', 'service.db'))
  await db.site.updateMany({ where: { stagingOf: id }, data: { state: 'failed' } })
  const push = await post(service, `/sites/${id}/apps/push`, { files: '1', database: '0', 'tables[]': '' })
  expect(push).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringContaining('no staging copy') } })
  const { events } = await streamPull(service, id, all)
  expect(events.at(-1)).toMatchObject({ status: 'done', result: { credentials: { user: 'staging', password: expect.any(String) } } })
  expect(await db.site.findMany({ where: { stagingOf: id } })).toMatchObject([{ state: 'ready' }])
  await db.$disconnect()
})
