import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { type ProblemCode, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { holdBack, msToWait, noteAnswer } from '@/lib/portal/upstream/back-off'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

const one = { id: 'c1', secretVersion: 1, origin: 'https://one.example' }
const other = { id: 'c2', secretVersion: 1, origin: 'https://one.example' }

const said = (status: number, code: ProblemCode | null = 'upstream_failed', retryAfter: string | null = null) => ({
  status,
  retryAfter,
  problem: code && problem(code),
})
const slowDown = (retryAfter: string | null) => said(429, 'upstream_rate_limited', retryAfter)
const waitOf = (way: typeof one) => holdBack(way)?.retryAfterSeconds ?? 0

beforeEach(() => {
  forgetProcess()
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') })
})
afterEach(() => void vi.useRealTimers())

const move = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

test.each([
  ['12', 12],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30],
  ['99999999999999999999', 3600],
  ['-5', 2],
  [null, 2],
])('security 38: after 429 with Retry-After %s this credential is left alone for %s s, and the countdown says so', (header, seconds) => {
  expect(noteAnswer(one, slowDown(header))).toMatchObject({ code: 'upstream_rate_limited', retryAfterSeconds: seconds })
  expect(waitOf(one)).toBe(seconds)
  expect(holdBack(other)).toBeNull()
  expect(holdBack({ ...one, secretVersion: 2 })).toBeNull()
  move(seconds - 1)
  expect([waitOf(one), msToWait(one)]).toEqual([1, 1000])
  move(1)
  expect(holdBack(one)).toBeNull()
})

test('security 38: what a service says with Retry-After is obeyed and shown as long as it holds, also with 503', () => {
  const why = problem('upstream_failed', { sentence: 'The service asks to wait 2 minutes.', retryAfterSeconds: 120 })
  expect(noteAnswer(one, { status: 503, retryAfter: '120', problem: why })).toEqual(why)
  move(20)
  expect(holdBack(one)).toEqual({ ...why, retryAfterSeconds: 100 })
  expect([msToWait(one), holdBack(other)]).toEqual([100_000, null])
  move(100)
  expect(holdBack(one)).toBeNull()
  noteAnswer(one, said(503))
  expect(holdBack(one)).toBeNull()
})

test('security 38: repeated 429 without Retry-After doubles the wait each time, up to five minutes; an answer ends it', () => {
  const waits = Array.from({ length: 10 }, () => noteAnswer(one, slowDown(null))?.retryAfterSeconds)
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  noteAnswer(one, said(200, null))
  expect(holdBack(one)).toBeNull()
  expect(noteAnswer(one, slowDown(null))?.retryAfterSeconds).toBe(2)
})

test('security 38: five consecutive failures of a service stop all reads of its origin; then one at a time may test it', () => {
  for (let n = 0; n < 4; n += 1) noteAnswer(one, said(500))
  expect(holdBack(other)).toBeNull()
  noteAnswer(other, said(503))
  for (const way of [one, other]) expect(holdBack(way)).toMatchObject({ code: 'upstream_failed', retryAfterSeconds: 5 })
  expect(holdBack({ ...one, origin: 'https://two.example' })).toBeNull()
  move(5)
  expect([holdBack(one), waitOf(other)]).toEqual([null, 10])
  noteAnswer(one, said(500))
  expect(waitOf(one)).toBe(10)
  move(10)
  expect(holdBack(other)).toBeNull()
  noteAnswer(other, said(200, null))
  for (const way of [one, other]) expect(holdBack(way)).toBeNull()
})

test('security 38: an unreachable server, reported in our own codes, is not a failure of the service', () => {
  for (let n = 0; n < 20; n += 1) noteAnswer(one, said(n % 2 ? 502 : 504, n % 2 ? 'unreachable' : 'too_slow'))
  expect(holdBack(one)).toBeNull()
})

async function prepare(upstream: Awaited<ReturnType<typeof startUpstream>>) {
  vi.useRealTimers()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  return { actor, connectionId, serverId }
}

test('security 38: polling sends nothing during back-off; a change is sent once, whatever the outcome', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, connectionId, serverId } = await prepare(upstream)
  upstream.set('rate-limited')
  const first = await runOperation(actor, contract.servers.summary, { serverId })
  expect(first).toMatchObject({ ok: false, problem: { code: 'upstream_rate_limited', retryAfterSeconds: 7 } })
  const before = upstream.calls.length
  for (let n = 0; n < 5; n += 1) {
    forgetListing(connectionId)
    const { connections } = await listServers(actor)
    expect(connections[0]?.problem).toMatchObject({ code: 'upstream_rate_limited', retryAfterSeconds: expect.any(Number) })
    expect(await runOperation(actor, contract.servers.summary, { serverId })).toMatchObject({ ok: false })
  }
  expect(upstream.calls.length).toBe(before)
  const change = await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'alpha', stepUp: signedInLately })
  expect(change).toMatchObject({ ok: false, problem: { code: 'upstream_rate_limited' } })
  expect(upstream.calls.length).toBe(before + 1)
  expect(await db().connection.findUnique({ where: { id: connectionId } })).toMatchObject({ state: 'working' })
})

test('security 38: consecutive 500s open the breaker for reads, never for changes, and no call is repeated', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId } = await prepare(upstream)
  upstream.set('500-json')
  const before = upstream.calls.length
  for (let n = 0; n < 12; n += 1) await runOperation(actor, contract.servers.summary, { serverId })
  expect(upstream.calls.length - before).toBe(5)
  await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'alpha', stepUp: signedInLately })
  expect(upstream.calls.length - before).toBe(6)
})

test('with the clock set back the back-off is no longer than announced', () => {
  noteAnswer(one, slowDown('12'))
  for (let n = 0; n < 5; n += 1) noteAnswer(other, said(500))
  move(-86_400)
  expect(waitOf(one)).toBe(12)
  expect(msToWait(one)).toBe(12_000)
  expect(waitOf(other)).toBe(5)
  move(5)
  expect(waitOf(one)).toBe(7)
  expect(waitOf(other)).toBe(0)
})
