/** What every provider must do over HTTP: the same tests run against the sandbox and against real hosts. */
import { expect } from 'vitest'
import { get, post, readInstall, type Said, type Target } from '../support/caller'

export type MachineLogin = { provider: string; host: string; port: string; user: string; pass: string }

/** A service, and servers to add to it. */
type MachineTarget = Target & {
  /** A new server that is in no list; may return the same one again after it was deleted. */
  findMachine(): Promise<MachineLogin>
  /** An address that does not answer. */
  unreachable: Pick<MachineLogin, 'host' | 'port'>
  /** When the server of findMachine was booted, if that can be determined from outside. */
  startedAt?(): Promise<string>
  /** A password that no server accepts. */
  wrongPass: string
}

export type Promised = {
  title: string
  /** True if the test changes a server, which takes minutes on a real one. */
  installs: boolean
  prove(target: MachineTarget): Promise<void>
}

type Registration = MachineLogin & { name: string; host_key?: string; adopt?: string }

export function create(target: Target, registration: Registration): Promise<Said> {
  return post(target, '/servers/create', { dns: 'none', region: 'north', type: '', ...registration })
}

/** Adds a server as a careful client does: requests the fingerprint, then sends it as confirmed. */
export async function register(target: Target, login: MachineLogin, name: string): Promise<{ id: string; hostKey: string }> {
  const asked = await create(target, { ...login, name, host_key: 'ask' })
  const hostKey = String(asked.body.host_key)
  const created = await create(target, { ...login, name, host_key: hostKey })
  expect(created).toMatchObject({ status: 200, body: { success: true, items: [{ id: expect.stringMatching(/.+/) }], host_key: hostKey } })
  const [item] = created.body.items as { id: string }[]
  return { id: String(item?.id), hostKey }
}

async function listed(target: Target): Promise<Record<string, unknown>[]> {
  const { status, body } = await get(target, '/servers/')
  expect(status).toBe(200)
  return body.items as Record<string, unknown>[]
}

/** Every failure leaves the list unchanged and has a code of the closed list, without the password. */
async function expectRefusal(target: MachineTarget, registration: Registration, status: number, code: string): Promise<Said> {
  const before = await listed(target)
  const said = await create(target, registration)
  expect(said).toMatchObject({ status, body: { success: false, code, error: expect.stringMatching(/^[A-Z].*\.$/s) } })
  expect(JSON.stringify(said.body)).not.toContain(registration.pass)
  expect(await listed(target)).toEqual(before)
  return said
}

const otherKey = `SHA256:${'A'.repeat(43)}`
const fingerprint = /^SHA256:[A-Za-z0-9+/]{43}$/

const summaryStrings =
  'name dns hostname ip ipv6 location user port webserver disk_space disk_free disk_total mem_total mem_free kernel cpu cores uptime php apache mariadb updates security_updates'.split(
    ' ',
  )

async function summaryOf(target: Target, id: string): Promise<Record<string, string>> {
  const { status, body } = await get(target, `/servers/${id}/summary`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  const [item] = body.item as Record<string, string>[]
  expect(item).toBeDefined()
  return item ?? {}
}

async function proveRefusals(target: MachineTarget): Promise<void> {
  const login = await target.findMachine()
  const asked = await expectRefusal(target, { ...login, name: 'refused', host_key: 'ask' }, 424, 'host_key_unconfirmed')
  expect(asked.body.host_key).toMatch(fingerprint)
  const changed = await expectRefusal(target, { ...login, name: 'refused', host_key: otherKey }, 424, 'host_key_changed')
  expect(changed.body.host_key).toBe(asked.body.host_key)
  await expectRefusal(target, { ...login, name: 'refused', pass: target.wrongPass }, 424, 'login_failed')
  await expectRefusal(target, { ...login, name: 'refused', ...target.unreachable }, 502, 'unreachable')
  const invalid = await expectRefusal(target, { ...login, name: '', user: '', port: '0' }, 422, 'invalid')
  expect(Object.keys(invalid.body.fields ?? {}).sort()).toEqual(['name', 'port', 'user'])
}

async function proveRegistration(target: MachineTarget): Promise<void> {
  const login = await target.findMachine()
  const { id, hostKey } = await register(target, login, 'first name')
  await expectRefusal(target, { ...login, name: 'second name' }, 409, 'already_registered')
  await expectRefusal(target, { ...login, name: 'second name', host_key: hostKey }, 409, 'already_registered')
  const mine = (await listed(target)).filter((item) => item.id === id)
  expect(mine).toMatchObject([{ name: 'first name', dns: 'none', provider: login.provider, state: 'new', host_key: hostKey }])
  expect(await readInstall(target, id, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  const summary = await summaryOf(target, id)
  for (const name of summaryStrings) expect(typeof summary[name], name).toBe('string')
  expect(summary).toMatchObject({ name: 'first name', location: 'north', user: login.user, port: login.port, webserver: '', apache: '' })
  expect(Number(summary.disk_space) + Number(summary.disk_free)).toBeLessThanOrEqual(Number(summary.disk_total))
  await proveDeletion(target, id)
  const again = await register(target, login, 'registered again')
  expect(again.hostKey).toBe(hostKey)
  await proveDeletion(target, again.id)
}

async function proveDeletion(target: MachineTarget, id: string): Promise<void> {
  expect(await get(target, `/servers/${id}/delete`)).toMatchObject({ status: 200, body: { success: true, cleaned: true } })
  expect(await get(target, `/servers/${id}/delete`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await listed(target)).filter((item) => item.id === id)).toEqual([])
}

async function proveInstall(target: MachineTarget): Promise<void> {
  const login = await target.findMachine()
  const { id } = await register(target, login, 'installed')
  const left = await readInstall(target, id, { until: 2 })
  expect(left.headers.get('content-type')).toContain('text/event-stream')
  expect(await get(target, `/servers/${id}/delete`)).toMatchObject({ status: 409, body: { code: 'busy' } })
  const [one, other] = await Promise.all([readInstall(target, id), readInstall(target, id, { lastEventId: 0 })])
  expect(one.events).toEqual(other.events)
  expect(one.events.slice(0, left.events.length)).toEqual(left.events)
  const ids = one.events.map((event) => event.id)
  expect(ids).toEqual(ids.map((_, index) => index + 1))
  expect(one.events.every((event, index) => event.progress >= (one.events[index - 1]?.progress ?? 0))).toBe(true)
  expect(one.events.at(-1)).toMatchObject({ status: 'done', progress: 100 })
  expect(one.events.slice(0, -1).every((event) => event.status === 'running')).toBe(true)
  expect((await listed(target)).find((item) => item.id === id)).toMatchObject({ state: 'ready' })
  const version = expect.stringMatching(/^\d/)
  expect(await summaryOf(target, id)).toMatchObject({
    webserver: 'apache',
    apache: version,
    php: version,
    mariadb: version,
    state: 'ready',
  })
  await proveSecondRun(target, id, ids.length)
  await proveDeletion(target, id)
}

/** A finished install is only replayed to clients that send Last-Event-ID; a new run checks each step and continues the numbering. */
async function proveSecondRun(target: MachineTarget, id: string, seen: number): Promise<void> {
  expect((await readInstall(target, id, { lastEventId: seen })).events).toEqual([])
  expect((await readInstall(target, id, { lastEventId: seen - 1 })).events).toHaveLength(1)
  const again = await readInstall(target, id)
  expect(again.events[0]?.id).toBe(seen + 1)
  expect(again.events.at(-1)).toMatchObject({ status: 'done', progress: 100 })
}

const update = (target: Target, id: string, fields: Record<string, string>) => post(target, `/servers/${id}/update`, fields)

/**
 * Name and DNS are notes in our database: returned by list and summary, changed together or not at all, without contacting the
 * server.
 */
async function proveUpdate(target: MachineTarget): Promise<void> {
  const { id } = await register(target, await target.findMachine(), 'first name')
  const names = async () => {
    const item = (await listed(target)).find((candidate) => candidate.id === id)
    const summary = await summaryOf(target, id)
    expect({ name: item?.name, dns: item?.dns }).toEqual({ name: summary.name, dns: summary.dns })
    return [summary.name, summary.dns]
  }
  expect(await update(target, id, { name: '  Zażółć & Co. <b>  ', dns: 'Cloudflare' })).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect(await names()).toEqual(['Zażółć & Co. <b>', 'Cloudflare'])
  const refused: [fields: Record<string, string>, why: string[]][] = [
    [{ name: ' ', dns: 'lost' }, ['name']],
    [{ name: 'x'.repeat(101), dns: 'x'.repeat(101) }, ['dns', 'name']],
    [{ name: 'lost', dns: 'two\nlines' }, ['dns']],
    [{ name: 'lost' }, ['dns']],
    [{}, ['dns', 'name']],
  ]
  for (const [fields, why] of refused) {
    const { status, body } = await update(target, id, fields)
    expect({ status, code: body.code, why: Object.keys(body.fields ?? {}).sort() }).toEqual({ status: 422, code: 'invalid', why })
  }
  expect(await names()).toEqual(['Zażółć & Co. <b>', 'Cloudflare'])
  expect(await update(target, 'no-such-id', { name: 'a', dns: '' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  await Promise.all([1, 2].map(() => update(target, id, { name: 'twice', dns: '' })))
  expect(await names()).toEqual(['twice', ''])
  const both = await Promise.all(['1', '2', '3', '4'].map((one) => update(target, id, { name: `name ${one}`, dns: `dns ${one}` })))
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [name = '', dns] = await names()
  expect(name).toMatch(/^name [1-4]$/)
  expect(dns).toBe(name.replace('name', 'dns'))
  await proveDeletion(target, id)
  expect(await update(target, id, { name: 'a', dns: '' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
}

/** The boots among the events of the summary: a server without an install has no other events. */
async function readBoots(target: Target, id: string): Promise<Record<string, string>[]> {
  const { body } = await get(target, `/servers/${id}/summary`)
  const [item] = body.item as { events: Record<string, string>[] }[]
  expect(item?.events.map(({ at }) => new Date(at ?? '').toISOString())).toEqual(item?.events.map(({ at }) => at))
  return item?.events ?? []
}

/** Answered while the server still runs, then reported as rebooting instead of unreachable, then reachable again with a new boot time. */
async function proveReboot(target: MachineTarget): Promise<void> {
  const { id } = await register(target, await target.findMachine(), 'rebooted')
  const reboot = (server: string) => post(target, `/servers/${server}/reboot`, {})
  const ask = () => get(target, `/servers/${id}/summary`)
  const before = await target.startedAt?.()
  const boots = await readBoots(target, id)
  expect(boots).toEqual([{ id: expect.any(String), kind: 'reboot', at: expect.any(String), outcome: 'done', detail: '', site: '' }])
  expect(await reboot('no-such-server')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await reboot(id)).toMatchObject({ status: 200, body: { success: true } })
  const rebooting = { status: 409, body: { success: false, code: 'rebooting' } }
  expect(await ask()).toMatchObject(rebooting)
  expect(await reboot(id)).toMatchObject(rebooting)
  const statuses = new Set<unknown>()
  const look = async () => {
    const { status, body } = await ask()
    statuses.add(status === 200 ? 200 : body.code)
    return status
  }
  await expect.poll(look, { timeout: 90_000, interval: 500 }).toBe(200)
  expect([...statuses]).toEqual(['rebooting', 200])
  if (before !== undefined) expect(await target.startedAt?.()).not.toBe(before)
  const all = await readBoots(target, id)
  expect(all.map((boot) => boot.id)).toEqual([boots[0]?.id, expect.any(String)])
  expect(new Set(all.map((boot) => boot.id)).size).toBe(2)
  await proveDeletion(target, id)
}

export const serverPromises: readonly Promised[] = [
  { title: 'every rejected login has its own clear error and leaves no row', installs: false, prove: proveRefusals },
  { title: 'a server is added once, summarised, deleted, and can be added again', installs: false, prove: proveRegistration },
  { title: 'name and DNS are updated together, returned everywhere, and refused with a reason', installs: false, prove: proveUpdate },
  { title: 'a reboot is confirmed, reported while it lasts, and over once the server answers again', installs: false, prove: proveReboot },
  {
    title: 'an install runs to its end whoever disconnects, reads twice or returns, and can be repeated',
    installs: true,
    prove: proveInstall,
  },
]
