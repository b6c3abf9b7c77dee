import { afterEach, expect, test, vi } from 'vitest'
import { closeAgents, countAgents } from '@/lib/portal/upstream/agents'
import { getSettings } from '@/lib/settings/settings'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { call, list, startBareServer } from './egress-call'

// Test upstreams are on loopback.
getSettings().allowedPrivateUpstreams = ['127.0.0.1', 'localhost']
afterEach(closeAgents)

test('security 27: a socket is reused by its own credential and never by another one', async () => {
  await using upstream = await startUpstream()
  for (let turn = 0; turn < 5; turn += 1) await call(upstream, list, {}, 'c1')
  const own = upstream.sockets
  expect(own).toBeLessThan(5)
  for (const credentialId of ['c2', 'c3']) await call(upstream, list, {}, credentialId)
  expect(upstream.sockets).toBe(own + 2)
  expect(countAgents()).toBe(3)
})

test('security 27: an unsolicited answer on an idle socket reaches no caller', async () => {
  const answer = (text: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  await using bare = await startBareServer((socket) => socket.on('data', () => socket.write(`${answer('"asked"')}${answer('"planted"')}`)))
  for (const credentialId of ['c1', 'c1', 'c2', 'c1']) {
    const reply = await call(bare, list, {}, credentialId)
    if (reply.kind === 'answer') expect(reply.body).toBe('"asked"')
  }
})

test('a credential unused for 30 seconds holds no socket; a running stream keeps its own', async () => {
  await using upstream = await startUpstream({ extensions: true, msPerLine: 20 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await call(upstream)
    vi.advanceTimersByTime(29_999)
    expect(countAgents()).toBe(1)
    const path = `/servers/${upstream.addServer()}/install`
    const reply = await call(upstream, { method: 'GET', path }, { pace: 'stream' })
    vi.advanceTimersByTime(31_000)
    expect(countAgents()).toBe(1)
    if (reply.kind === 'stream') for await (const chunk of reply.chunks) if (chunk.length > 0) break
    await expect.poll(() => upstream.openStreams).toBe(0)
    vi.advanceTimersByTime(31_000)
    expect(countAgents()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(() => upstream.sockets).toBe(0)
})

test('sockets do not accumulate: after its calls a credential holds at most those it used simultaneously', async () => {
  await using upstream = await startUpstream()
  await Promise.all(Array.from({ length: 10 }, () => call(upstream)))
  expect(upstream.sockets).toBeLessThanOrEqual(10)
  await closeAgents()
  await expect.poll(() => upstream.sockets).toBe(0)
})
