/** All 48 operations of the interface, called as its document says, by a client that knows no extension. */
import { expect } from 'vitest'
import { law } from '../../contract/law'

export type FieldValue = string | boolean | readonly string[]
export type Fields = Readonly<Record<string, FieldValue>>
export type Members = Readonly<Record<string, unknown>>

/**
 * Calls an operation of the interface by its id: `cron.save`. ids: of its path. Resolves with the members of its JSON answer, or with the text of
 * a stream; throws for any other answer.
 */
export type InterfaceClient = (id: string, ids: Readonly<Record<string, string>>, fields?: Fields) => Promise<Members | string>

const domain = 'walk.example.org'

/** A server and its site, from nothing to nothing. Every answer is checked for what its callers need. */
export async function walkInterface(send: InterfaceClient): Promise<void> {
  const called = new Set<string>()
  const call = async (id: string, ids: Readonly<Record<string, string>>, fields?: Fields): Promise<Members> => {
    called.add(id)
    const answer = await send(id, ids, fields)
    return typeof answer === 'string' ? { text: answer } : answer
  }
  const server = await addServer(call)
  await walkServer(call, server)
  const site = await addSite(call, server)
  await walkSite(call, site)
  await walkContent(call, site)
  await removeAll(call, server, site)
  expect([...called].sort()).toEqual(law.map(([id]) => id).sort())
}

type Call = (id: string, ids: Readonly<Record<string, string>>, fields?: Fields) => Promise<Members>
type Ids = Readonly<Record<string, string>>

const itemsIn = (answer: Members, member = 'items'): Record<string, string>[] => answer[member] as Record<string, string>[]

/** The one object of an `item`. */
function onlyIn({ item }: Members): Members {
  expect(item).toHaveLength(1)
  return (item as Members[])[0] ?? {}
}

async function addServer(call: Call): Promise<Ids> {
  expect(itemsIn(await call('servers.list', {}))).toEqual([])
  const where = { provider: 'sandbox', host: 'walk.example.net', port: '22', region: '', type: '' }
  const created = await call('servers.create', {}, { ...where, dns: 'none', name: 'Walk', user: 'root', pass: 'let me in, please' })
  const ids = { server_id: String(itemsIn(created)[0]?.id) }
  expect(itemsIn(await call('servers.list', {}))).toMatchObject([{ id: ids.server_id, name: 'Walk' }])
  const { text } = await call('servers.install', ids)
  expect(text).toMatch(/^id: ?1\ndata: ?\{/)
  expect(text).toContain('"status":"done"')
  return ids
}

async function walkServer(call: Call, ids: Ids): Promise<void> {
  await call('servers.update', ids, { name: 'Renamed', dns: 'other' })
  await call('servers.setHostname', ids, { hostname: 'walk-1.example.net' })
  await call('servers.resetKey', ids, { user: 'root', pass: 'let me in, please' })
  expect(onlyIn(await call('servers.summary', ids))).toMatchObject({ name: 'Renamed', dns: 'other', hostname: 'walk-1.example.net' })

  const job = { minute: '0', hour: '4', dom: '*', mon: '*', dow: '1', user: 'root', command: '/usr/bin/true, really' }
  await call('cron.save', ids, job)
  const [saved] = itemsIn(await call('cron.list', ids), 'cronjobs').filter(({ command }) => command === job.command)
  expect(saved).toMatchObject(job)
  await call('cron.delete', ids, { line: String(saved?.line) })

  await call('users.save', ids, { user: 'walker', pass: 'a harbour, in november' })
  expect(itemsIn(await call('users.list', ids), 'users').map(({ name }) => name)).toContain('walker')
  await call('users.delete', ids, { user: 'walker' })

  await call('firewall.saveRule', ids, { action: 'allow', from: '192.0.2.0/24', port: '8080', protocol: 'tcp' })
  await call('firewall.toggle', ids, { status: true })
  const firewall = await call('firewall.get', ids)
  expect(firewall.active).toBe(true)
  const rule = itemsIn(firewall, 'rules').find(({ port }) => port === '8080')
  await call('firewall.deleteRule', ids, { id: String(rule?.id) })
  await call('firewall.toggle', ids, { status: false })
  expect((await call('firewall.get', ids)).active).toBe(false)

  await call('logs.fetch', ids, { log: 'auth.log' })
  const messages = itemsIn(await call('mail.list', ids), 'messages').map(({ id }) => String(id))
  await call('mail.delete', ids, { ids: messages.slice(0, 2) })
  expect(itemsIn(await call('mail.list', ids), 'messages').map(({ id }) => id)).toEqual(messages.slice(2))
  const backups = itemsIn(await call('serverBackups.list', ids)).map(({ name }) => String(name))
  await call('serverBackups.delete', ids, { ids: backups.slice(-1) })
  expect(itemsIn(await call('serverBackups.list', ids)).map(({ name }) => name)).toEqual(backups.slice(0, -1))
}

async function addSite(call: Call, { server_id: server = '' }: Ids): Promise<Ids> {
  await call('sites.create', {}, { domain, server, password: 'a harbour, in november' })
  const site = itemsIn(await call('sites.list', {})).find((each) => each.domain === domain)
  expect(site).toMatchObject({ server })
  return { site_id: String(site?.id) }
}

async function walkSite(call: Call, ids: Ids): Promise<void> {
  expect(onlyIn(await call('sites.summary', ids))).toMatchObject({ domain })
  const alias = `www.${domain}`
  await call('aliases.save', ids, { alias })
  expect(onlyIn(await call('aliases.list', ids)).aliases).toMatchObject([{ domain: alias }])
  await call('aliases.delete', ids, { alias })

  // In the order of the interface's list, which has none: a password before email and SSL.
  await call('email.save', ids, { user: 'info', password: 'a harbour', destination: 'someone@example.net' })
  await call('email.save', ids, { user: 'sales', password: '', destination: 'someone@example.net' })
  await call('email.set', ids, { status: true })
  await call('ssl.set', ids, { status: true })
  expect(onlyIn(await call('sites.settings', ids))).toMatchObject({ domain, ssl: true })
  const { email, emails } = onlyIn(await call('email.get', ids))
  expect([email, emails]).toMatchObject([true, [{ user: 'info' }, { user: 'sales' }]])
  await call('email.delete', ids, { user: 'info' })
  await call('email.set', ids, { status: false })
  expect(onlyIn(await call('email.get', ids)).email).toBe(false)
  await call('ssl.set', ids, { status: false })
  expect(onlyIn(await call('sites.settings', ids)).ssl).toBe(false)
}

async function walkContent(call: Call, ids: Ids): Promise<void> {
  await call('apps.install', { ...ids, app: 'wordpress' })
  expect(onlyIn(await call('apps.get', ids)).app).toMatchObject({ name: 'wordpress' })
  await call('database.save', ids, { password: 'another harbour, in may' })
  expect(String(onlyIn(await call('database.get', ids)).db_name)).not.toBe('')
  const tables = (await call('database.tables', ids)).tables as string[]
  expect(tables.length).toBeGreaterThan(1)

  await call('apps.pull', ids, { files: true, database: true, tables: [] })
  await call('apps.push', ids, { files: true, database: true, tables: tables.filter((table) => table.endsWith('options')) })
  await call('apps.push', ids, { files: true, database: false, tables: [] })

  await call('backups.create', ids)
  const backups = itemsIn(await call('backups.list', ids)).map(({ name }) => String(name))
  expect(backups.length).toBeGreaterThan(1)
  await call('backups.restore', ids, { restore: String(backups[0]) })
  await call('backups.delete', ids, { ids: backups })
  expect(itemsIn(await call('backups.list', ids))).toEqual([])

  const { download_url: link } = await call('sites.download', ids)
  const archive = await fetch(String(link))
  expect([archive.status, (await archive.arrayBuffer()).byteLength > 0]).toEqual([200, true])
}

async function removeAll(call: Call, server: Ids, site: Ids): Promise<void> {
  await call('sites.delete', site)
  expect(itemsIn(await call('sites.list', {}))).toEqual([])
  await call('servers.delete', server)
  expect(itemsIn(await call('servers.list', {}))).toEqual([])
}
