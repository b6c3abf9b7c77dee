import { afterEach, expect, test } from 'vitest'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { UpstreamFailure } from '@/lib/portal/upstream/failure'
import { getSettings } from '@/lib/settings/settings'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { call } from './egress-call'

// Test upstreams are on loopback.
getSettings().allowedPrivateUpstreams = ['127.0.0.1', 'localhost']
afterEach(closeAgents)

test('an install is a stream whose lines come as they are sent, and which ends when it ends', async () => {
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

test('a failure where a stream was asked for is an answer', async () => {
  await using upstream = await startUpstream({ extensions: true })
  const reply = await call(upstream, { method: 'GET', path: '/servers/none/install' }, { pace: 'stream' })
  expect(reply).toMatchObject({ kind: 'answer', status: 404, contentType: 'application/json' })
})

test('a stream that breaks off, stalls or is left says so and closes its socket', async () => {
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

test('a stream left by its reader closes its socket', async () => {
  await using upstream = await startUpstream({ extensions: true, msPerLine: 20 })
  const path = `/servers/${upstream.addServer()}/install`
  const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  for await (const chunk of reply.chunks) if (chunk.length > 0) break
  await expect.poll(() => upstream.sockets).toBe(0)
})

test('security 45: a reader who stops makes the other side wait, without running into the idle limit', async () => {
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
