/** The sandbox's own behaviour: what a server's name causes, and that its answers follow from earlier changes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createModel } from '@/lib/service/machines/sandbox/fresh'
import { hostKeyOf } from '@/lib/service/machines/sandbox/host'
import { parseModel, renderModel } from '@/lib/service/machines/sandbox/model'
import { advance, beginJob, nextMomentMs } from '@/lib/service/machines/sandbox/timeline'
import { create, register } from './conformance/servers'
import { get, post, readInstall, type Target } from './support/caller'
import { openTestService } from './support/service'

const sandbox = { provider: 'sandbox', host: 'sandbox.test', port: '22', user: 'deploy', pass: 'open' }
const fresh = (name: string) => createModel({ name, host: 'sandbox.test', user: 'root', nowMs: 0 })

const summaryStatus = async (target: Target, id: string) => (await get(target, `/servers/${id}/summary`)).status

test('a host shows the same key every time, and each host and port shows another', () => {
  const keys = [hostKeyOf('a.test', 22, 1), hostKeyOf('a.test', 23, 1), hostKeyOf('b.test', 22, 1), hostKeyOf('a.test', 22, 2)]
  expect(new Set(keys).size).toBe(4)
  expect(hostKeyOf('A.test', 22, 1)).toBe(keys[0])
  for (const key of keys) expect(key).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
})

test('an install nobody watches ends with the same server as one that is read line by line', () => {
  const watched = fresh('plain')
  const alone = fresh('plain')
  for (const machine of [watched, alone]) beginJob(machine, 0, 10)
  for (let next = nextMomentMs(watched); next !== null; next = nextMomentMs(watched)) advance(watched, next)
  advance(alone, 3_600_000)
  expect(watched).toEqual(alone)
  expect(watched.lines.at(-1)).toMatchObject({ status: 'done' })
})

test('a server stored and read again during an install continues without a difference', () => {
  const whole = fresh('plain')
  beginJob(whole, 0, 10)
  let stored = renderModel(whole)
  for (let nowMs = 0; nowMs < 1000; nowMs += 37) {
    const machine = parseModel(stored)
    advance(machine, nowMs)
    stored = renderModel(machine)
  }
  advance(whole, 1000)
  expect(parseModel(stored)).toEqual(whole)
})

test('a server with its own mail server and firewall keeps them, and log and summary say so', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const { id } = await register(service, sandbox, 'lived-one')
  const kept = [
    { part: 'mail', reason: 'Exim is the mail server here; Postfix is not installed.' },
    { part: 'firewall', reason: 'nftables is the firewall here; UFW is not set up.' },
  ]
  expect((await get(service, `/servers/${id}/summary`)).body.item).toMatchObject([{ kept: [] }])
  const { events } = await readInstall(service, id)
  expect(events.filter(({ step }) => step === 'Mail' || step === 'Firewall').map(({ message }) => message)).toEqual(
    kept.map(({ reason }) => `kept: ${reason}`),
  )
  expect(events.at(-1)?.message).toBe(`The installation is complete. ${kept.map(({ reason }) => `kept: ${reason}`).join(' ')}`)
  expect(events.filter(({ message }) => /removed/i.test(message))).toEqual([])
  expect((await get(service, `/servers/${id}/summary`)).body.item).toMatchObject([{ kept }])
})

test('a slow server takes several times as long', () => {
  const lengthOf = (name: string) => {
    const machine = fresh(name)
    beginJob(machine, 0, 10)
    let lastMs = 0
    for (let next = nextMomentMs(machine); next !== null; next = nextMomentMs(machine)) {
      lastMs = next
      advance(machine, next)
    }
    return lastMs
  }
  expect(lengthOf('slow-one')).toBe(5 * lengthOf('quick-one'))
})

test('every third call to a flaky server fails', async () => {
  await using service = await openTestService({ summarySharedMs: 0 })
  const { id } = await register(service, sandbox, 'flaky-one')
  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push(await summaryStatus(service, id))
  expect(statuses).toEqual([200, 200, 502, 200, 200, 502])
})

test('changed.test can be added and then shows another key, after which nothing more is sent to it', async () => {
  await using service = await openTestService()
  const { id, hostKey } = await register(service, { ...sandbox, host: 'changed.test' }, 'changed')
  const { status, body } = await get(service, `/servers/${id}/summary`)
  expect([status, body.code]).toEqual([424, 'host_key_changed'])
  expect(body.host_key).not.toBe(hostKey)
  expect((await get(service, `/servers/${id}/delete`)).body).toEqual({ success: true, cleaned: false, staying: [] })
})

test('hosts ending in .unreachable cannot be reached, and the password wrong is refused', async () => {
  await using service = await openTestService()
  expect(await create(service, { ...sandbox, host: 'east.unreachable', name: 'x' })).toMatchObject({ body: { code: 'unreachable' } })
  expect(await create(service, { ...sandbox, pass: 'wrong', name: 'x' })).toMatchObject({ body: { code: 'login_failed' } })
})

test('the summary lists more as parts are installed', async () => {
  await using service = await openTestService({ sandboxPaceMs: 1, summarySharedMs: 0 })
  const { id } = await register(service, sandbox, 'growing')
  const usedBytes = async () =>
    Number(((await get(service, `/servers/${id}/summary`)).body.item as { disk_space: string }[])[0]?.disk_space)
  const before = await usedBytes()
  await readInstall(service, id)
  expect(await usedBytes()).toBeGreaterThan(before + 100_000_000)
})

test('crontabs are stored with the server, and one stored before crontabs existed has none', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-crontabs-'))
  const job = { minute: '30', hour: '4', dom: '*', mon: '*', dow: '*', user: 'root', command: 'nightly' }
  let id = ''
  {
    await using service = await openTestService({ dir })
    id = (await register(service, sandbox, 'kept')).id
    expect((await post(service, `/servers/${id}/savecronjob`, job)).status).toBe(200)
  }
  {
    await using service = await openTestService({ dir })
    expect((await get(service, `/servers/${id}/cronjobs`)).body.cronjobs).toEqual([{ ...job, line: expect.any(String) }])
  }
  const { crontabs: _, ...older } = createModel({ name: 'older', host: 'older.test', user: 'root', nowMs: 0 })
  expect(parseModel(JSON.stringify(older)).crontabs).toEqual({})
  rmSync(dir, { recursive: true, force: true })
})

test('a server stored when rules were only ports has them as UFW’s lines', () => {
  const stored = { ...JSON.parse(renderModel(fresh('old'))), firewall: { active: true, rules: ['22/tcp', '80/tcp'] } }
  expect(parseModel(JSON.stringify(stored)).firewall).toEqual({
    active: true,
    rules: ['22', '80'].map((port) => `### tuple ### allow tcp ${port} 0.0.0.0/0 any 0.0.0.0/0 in`),
    rules6: [],
    removed: '',
  })
})
