/** The install stream: resumed by number, shared by readers, and never started by a client that only resumes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, EventSource } from 'undici'
import { expect, test } from 'vitest'
import { register } from './conformance/servers'
import { get, readInstall, type Target } from './support/caller'
import { openTestService } from './support/service'
import { streamCreation } from './support/slow-work'

const sandbox = { provider: 'sandbox', host: 'stream.test', port: '22', user: 'root', pass: 'open' }

const statesOf = async (target: Target) => ((await get(target, '/servers/')).body.items as { state: string }[]).map(({ state }) => state)

test('the stream has only id lines, one data line each and blank lines, and both ids are equal', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'lines')
  const { raw, events } = await readInstall(service, id)
  const blocks = raw.split('\n\n')
  expect(blocks.pop()).toBe('')
  for (const [index, block] of blocks.entries()) {
    const [idLine, dataLine, ...more] = block.split('\n')
    expect(more).toEqual([])
    expect(idLine).toBe(`id: ${events[index]?.id}`)
    const data = JSON.parse(dataLine?.replace(/^data: /, '') ?? '')
    expect(data).toEqual(events[index])
    expect(Object.keys(data).sort()).toEqual(['id', 'message', 'progress', 'status', 'step'])
  }
})

test('a request with Last-Event-ID never starts an install', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'untouched')
  for (const lastEventId of [0, 1, 999_999]) {
    expect(await readInstall(service, id, { lastEventId })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  }
  expect(await statesOf(service)).toEqual(['new'])
})

test.each(['-1', 'abc', '1.5', '9'.repeat(20)])('a Last-Event-ID of %s matches no event', async (lastEventId) => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'odd')
  expect(await readInstall(service, id, { lastEventId })).toMatchObject({ status: 422, body: { code: 'invalid' } })
})

test('resuming after any event returns exactly the rest, without gap or repeat', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'resumed')
  const whole = (await readInstall(service, id)).events
  for (const seen of [0, 1, 7, whole.length - 1]) {
    expect((await readInstall(service, id, { lastEventId: seen })).events).toEqual(whole.slice(seen))
  }
})

test('a client that has the last event of an ended run gets 204, so that an EventSource stops', async () => {
  await using service = await openTestService()
  const { id } = await register(service, { ...sandbox, host: 'fail-first' }, 'over')
  const failed = (await readInstall(service, id)).events
  const over = { status: 204, events: [], raw: '', body: {} }
  for (const seen of [failed.length, 10_000]) expect(await readInstall(service, id, { lastEventId: seen })).toMatchObject(over)
  // Another run has events after the last one of that.
  const again = (await readInstall(service, id)).events
  expect((await readInstall(service, id, { lastEventId: failed.length })).events).toEqual(again)
  expect(await readInstall(service, id, { lastEventId: failed.length + again.length })).toMatchObject(over)
  const site = { domain: 'over.example.org', server: id, password: 'let me in, please' }
  const { events } = await streamCreation(service, site)
  const last = Number(events.at(-1)?.id)
  expect(await streamCreation(service, site, { lastEventId: last })).toEqual({ status: 204, events: [], body: {} })
  expect((await streamCreation(service, site, { lastEventId: last - 1 })).events).toEqual(events.slice(-1))
})

test('an EventSource reads an install to its end, comes back once, and stops', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'browser')
  const resumed: string[] = []
  const agent = new Agent()
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const headers = new Headers(options.headers as Record<string, string>)
    resumed.push(headers.get('last-event-id') ?? '')
    headers.set('authorization', `Bearer ${service.key}`)
    return dispatch({ ...options, headers: Object.fromEntries(headers) }, handler)
  })
  const source = new EventSource(`${service.baseUrl}/servers/${id}/install`, { node: { dispatcher, reconnectionTime: 20 } })
  const ids: string[] = []
  source.addEventListener('message', ({ lastEventId }) => ids.push(lastEventId))
  await expect.poll(() => source.readyState).toBe(EventSource.CLOSED)
  await agent.destroy()
  expect(ids).toEqual(ids.map((_, index) => String(index + 1)))
  expect(resumed).toEqual(['', ids.at(-1)])
  expect((await readInstall(service, id, { lastEventId: 0 })).events.at(-1)).toMatchObject({ id: ids.length, status: 'done' })
})

test('a client that has the newest event of a running run waits for the next', async () => {
  await using service = await openTestService({ sandboxPaceMs: 40 })
  const { id } = await register(service, sandbox, 'waiting')
  const seen = (await readInstall(service, id, { until: 3 })).events.length
  const rest = await readInstall(service, id, { lastEventId: seen })
  expect([rest.status, rest.events[0]?.id, rest.events.at(-1)?.status]).toEqual([200, seen + 1, 'done'])
})

test('an install continues when its only reader disconnects', async () => {
  await using service = await openTestService({ sandboxPaceMs: 10 })
  const { id } = await register(service, sandbox, 'left')
  await readInstall(service, id, { until: 1 })
  await expect.poll(() => statesOf(service), { timeout: 10_000 }).toEqual(['ready'])
  expect((await readInstall(service, id, { lastEventId: 0 })).events.at(-1)).toMatchObject({ status: 'done' })
})

test('ten simultaneous requests start one run and read the same events', async () => {
  await using service = await openTestService({ sandboxPaceMs: 80 })
  const { id } = await register(service, sandbox, 'shared')
  const streams = await Promise.all(Array.from({ length: 10 }, () => readInstall(service, id)))
  const [first, ...others] = streams.map(({ events }) => events)
  expect(first?.filter(({ status }) => status === 'done')).toHaveLength(1)
  expect(first?.[0]?.id).toBe(1)
  for (const other of others) expect(other).toEqual(first)
})

test('a long silence is filled with events that can be resumed after like any other', async () => {
  await using service = await openTestService({ sandboxPaceMs: 120, silenceMs: 15 })
  const { id } = await register(service, sandbox, 'silent')
  const { events } = await readInstall(service, id)
  const fillers = events.filter(({ message }) => message.startsWith('Still running'))
  expect(fillers.length).toBeGreaterThan(3)
  expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
  expect((await readInstall(service, id, { lastEventId: 5 })).events).toEqual(events.slice(5))
}, 30_000)

test('a failing server says which step failed and why, and trying again continues there', async () => {
  await using service = await openTestService()
  const { id } = await register(service, sandbox, 'fail-first')
  const failed = (await readInstall(service, id)).events
  const last = failed.at(-1)
  expect(last).toMatchObject({ status: 'failed', step: 'Database', error: expect.stringContaining('mariadb-server') })
  expect(last?.progress).toBeLessThan(100)
  expect(await statesOf(service)).toEqual(['failed'])
  const again = (await readInstall(service, id)).events
  expect(again[0]?.id).toBe(failed.length + 1)
  expect(again.filter(({ message }) => message === 'already done').map(({ step }) => step)).toEqual(['Packages', 'Web server and PHP'])
  expect(again.at(-1)).toMatchObject({ status: 'done', progress: 100 })
  expect((await readInstall(service, id, { lastEventId: 3 })).events).toEqual(again)
  expect(await statesOf(service)).toEqual(['ready'])
})

test('a service stopped during an install resumes it, and no event is lost or repeated', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-service-'))
  try {
    const { id, before } = await startAndClose(dir)
    await using service = await openTestService({ dir, sandboxPaceMs: 40 })
    const { events } = await readInstall(service, id, { lastEventId: 0 })
    expect(events.slice(0, before.length)).toEqual(before)
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    expect(events.filter(({ status }) => status !== 'running')).toHaveLength(1)
    expect(new Set(events.map(({ message }) => message)).size).toBe(events.length)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

async function startAndClose(dir: string) {
  await using service = await openTestService({ dir, sandboxPaceMs: 40 })
  const { id } = await register(service, sandbox, 'taken up')
  return { id, before: (await readInstall(service, id, { until: 5 })).events }
}
