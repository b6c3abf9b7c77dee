import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { UpstreamFailure } from '@/lib/portal/upstream/failure'
import { getSettings } from '@/lib/settings/settings'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { call } from './egress-call'

// Test upstreams are on loopback.
getSettings().allowedPrivateUpstreams = ['127.0.0.1', 'localhost']
afterEach(closeAgents)

test('an install is a stream whose lines arrive as they are sent', async () => {
  await using upstream = await startUpstream({ extensions: true, msPerLine: 5 })
  const path = `/servers/${upstream.addServer()}/install`
  const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream', accept: 'text/event-stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  expect(reply).toMatchObject({ status: 200, extensions: true })
  let text = ''
  let pieces = 0
  for await (const chunk of reply.chunks) {
    text += Buffer.from(chunk).toString()
    pieces += 1
  }
  expect(pieces).toBeGreaterThan(1)
  expect(text).toMatch(/^id: ?1\n/)
  await expect.poll(() => upstream.openStreams).toBe(0)
})

test('a failure in response to a stream request is an answer', async () => {
  await using upstream = await startUpstream({ extensions: true })
  const reply = await call(upstream, { method: 'GET', path: '/servers/none/install' }, { pace: 'stream' })
  expect(reply).toMatchObject({ kind: 'answer', status: 404, contentType: 'application/json' })
})

test('a stream that breaks, stalls or is abandoned reports it and closes its socket', async () => {
  for (const [fault, code] of [
    ['cut-stream', 'upstream_unreachable'],
    ['stalled-stream', 'upstream_too_slow'],
  ] as const) {
    await using upstream = await startUpstream({ extensions: true, msPerLine: 1 })
    upstream.set(fault)
    const path = `/servers/${upstream.addServer()}/install`
    const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream', limits: { headMs: 2_000, idleMs: 300, totalMs: 20_000 } })
    if (reply.kind !== 'stream') throw new Error(`No stream but ${JSON.stringify(reply)}`)
    const read = async () => {
      for await (const chunk of reply.chunks) expect(chunk.length).toBeGreaterThan(0)
    }
    const error = await read().catch((each: unknown) => each)
    expect(error).toBeInstanceOf(UpstreamFailure)
    expect(error).toMatchObject({ problem: { code } })
    await expect.poll(() => upstream.sockets).toBe(0)
  }
})

/** Seconds until the kernel of the client asks a silent socket to this port whether the other side is there; null where it never does. */
async function secondsToProbe(port: number): Promise<number | null> {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/))
  const [kind, ticks] = rows.find((row) => row[2]?.endsWith(remote) && row[3] === '01')?.[5]?.split(':') ?? []
  // 02 is the keep-alive timer of a socket that has nothing to send; a tick is a hundredth of a second.
  return kind === '02' && ticks !== undefined ? Number.parseInt(ticks, 16) / 100 : null
}

test('a silent socket is probed after 30 s, so that a service that is gone is detected', async () => {
  await using upstream = await startUpstream({ msPerLine: 1_000_000 })
  const path = `/servers/${upstream.addServer()}/install`
  const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  await expect.poll(() => secondsToProbe(upstream.port)).toBeLessThanOrEqual(30)
  expect(await secondsToProbe(upstream.port)).toBeGreaterThan(15)
  reply.discard()
})

test('a stream abandoned by its reader closes its socket', async () => {
  await using upstream = await startUpstream({ extensions: true, msPerLine: 20 })
  const path = `/servers/${upstream.addServer()}/install`
  const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  for await (const chunk of reply.chunks) if (chunk.length > 0) break
  await expect.poll(() => upstream.sockets).toBe(0)
})

test('security 45: a reader that pauses makes the other side wait, without hitting the idle limit', async () => {
  await using upstream = await startUpstream({ extensions: true })
  upstream.set('long-line')
  const path = `/servers/${upstream.addServer()}/install`
  const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream', limits: { headMs: 2_000, idleMs: 200, totalMs: 20_000 } })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  const chunks = reply.chunks[Symbol.asyncIterator]()
  await chunks.next()
  let before = -1
  await expect
    .poll(
      () => {
        const still = upstream.bytesSent === before
        before = upstream.bytesSent
        return still
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(before).toBeLessThan(20 * 1024 * 1024)
  expect(await chunks.next()).toMatchObject({ done: false })
  await chunks.return?.()
  await expect.poll(() => upstream.sockets).toBe(0)
})
