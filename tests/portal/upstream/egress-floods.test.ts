import type { Socket } from 'node:net'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { startExchange } from '@/lib/portal/upstream/exchange'
import { startWatch } from '@/lib/portal/upstream/watch'
import { getSettings } from '@/lib/settings/settings'
import { brief, call, failed, list, startBareServer } from './egress-call'

// Test upstreams are on loopback.
getSettings().allowedPrivateUpstreams = ['127.0.0.1', 'localhost']
afterEach(closeAgents)

const megabyte = 1024 * 1024
// What the kernel buffers of both ends hold on loopback, and one answer of the largest size.
const mostSent = 24 * megabyte
const patience = { timeout: 5_000 }

/** A service that answers with this head and then sends a body without end, as fast as it is taken. */
async function startFlood(head: readonly string[]) {
  let [bytesSent, open] = [0, 0]
  const piece = Buffer.alloc(65_536, 'a')
  const pour = (socket: Socket) => {
    while (!socket.destroyed) {
      bytesSent += piece.length
      if (!socket.write(piece)) break
    }
  }
  const bare = await startBareServer((socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    socket.on('drain', () => pour(socket))
    socket.once('data', () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      pour(socket)
    })
  })
  return { ...bare, bytesSent: () => bytesSent, open: () => open }
}

const ok = 'HTTP/1.1 200 OK'
const json = 'content-type: application/json'

const refusedFloods: [what: string, head: string[], code: string][] = [
  ['two encodings', [ok, json, 'content-encoding: gzip', 'content-encoding: gzip'], 'upstream_not_understood'],
  ['an encoding after the plain one', [ok, json, 'content-encoding: identity', 'content-encoding: br'], 'upstream_not_understood'],
  ['an empty encoding and a real one', [ok, json, 'content-encoding:', 'content-encoding: gzip'], 'upstream_not_understood'],
  ['the plain encoding twice', [ok, json, 'content-encoding: identity', 'content-encoding: identity'], 'upstream_too_large'],
  ['two types', [ok, json, 'content-type: text/html'], 'upstream_too_large'],
  ['two times to wait', ['HTTP/1.1 429 Slow Down', json, 'retry-after: 1', 'retry-after: 2'], 'upstream_too_large'],
  ['two words about extensions', [ok, json, 'gatehouse-extensions: 1', 'gatehouse-extensions: 2'], 'upstream_too_large'],
  ['names that objects have already', [ok, json, '__proto__: x', '__proto__: y', 'constructor: z'], 'upstream_too_large'],
]

for (const [what, head, code] of refusedFloods) {
  test(`an endless body behind ${what} is cut off, and its socket closed`, async () => {
    await using flood = await startFlood(head)
    expect(await call(flood)).toEqual(failed(code, true))
    await expect.poll(flood.open, patience).toBe(0)
    expect(flood.bytesSent()).toBeLessThan(mostSent)
  })
}

test('of a redirect with an endless body nothing is read', async () => {
  await using flood = await startFlood(['HTTP/1.1 302 Found', 'location: /a', 'location: /b'])
  expect(await call(flood)).toMatchObject({ kind: 'answer', status: 302, body: '' })
  await expect.poll(flood.open, patience).toBe(0)
  expect(flood.bytesSent()).toBeLessThan(mostSent)
})

test('an install stream with two encodings is cut off like any other answer', async () => {
  await using flood = await startFlood([ok, 'content-type: text/event-stream', 'content-encoding: gzip', 'content-encoding: gzip'])
  expect(await call(flood, list, { pace: 'stream', accept: 'text/event-stream' })).toEqual(failed('upstream_not_understood', true))
  await expect.poll(flood.open, patience).toBe(0)
  expect(flood.bytesSent()).toBeLessThan(mostSent)
})

test('repeated headers are read as one list: the first type counts, extensions are recognised, Retry-After is kept', async () => {
  const headers = [json, 'content-type: text/html', 'retry-after: 7', 'gatehouse-extensions: 1', 'gatehouse-extensions: 2']
  await using bare = await startBareServer((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 429 Slow Down\r\n${headers.join('\r\n')}\r\ncontent-length: 2\r\n\r\n{}`)),
  )
  expect(await call(bare)).toMatchObject({ kind: 'answer', contentType: 'application/json', retryAfter: '7', extensions: true })
})

test('an endless body is cut by the total limit or the caller’s abort, and its socket closed', async () => {
  let open = 0
  await using slow = await startBareServer((socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    socket.write(`${ok}\r\n${json}\r\n\r\n`)
    const timer = setInterval(() => socket.write('a'), 20)
    socket.once('close', () => clearInterval(timer))
  })
  expect(await call(slow, list, { limits: brief })).toEqual(failed('upstream_too_slow', true))
  const controller = new AbortController()
  const pending = call(slow, list, { signal: controller.signal })
  setTimeout(() => controller.abort(), 100)
  expect(await pending).toEqual(failed('upstream_unreachable', true))
  await expect.poll(() => open, patience).toBe(0)
})

test('a stream that is never read makes the other side wait, and is abandoned when discarded', async () => {
  await using flood = await startFlood([ok, 'content-type: text/event-stream'])
  const reply = await call(flood, list, { pace: 'stream', accept: 'text/event-stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(flood.bytesSent()).toBeLessThan(mostSent)
  reply.discard()
  await expect.poll(flood.open, patience).toBe(0)
})

test('bytes that arrive before the body is taken are limited, and a later reader gets all of them', async () => {
  await using flood = await startFlood([ok, json])
  const agent = new Agent()
  const watch = startWatch({ headMs: 5_000, idleMs: 5_000, totalMs: 20_000 })
  const exchange = startExchange(agent, { origin: flood.origin, path: '/', method: 'GET', headers: {}, body: null }, watch)
  const head = await exchange.head
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(flood.bytesSent()).toBeLessThan(mostSent)
  let read = 0
  for await (const chunk of head.body()) {
    read += chunk.length
    if (read > mostSent) break
  }
  expect(read).toBeGreaterThan(mostSent)
  await expect.poll(flood.open, patience).toBe(0)
  watch.end()
  await agent.destroy()
})
