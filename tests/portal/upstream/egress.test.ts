import { afterEach, expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { decodeAnswer } from '@/lib/contract/answer'
import type { EncodedRequest } from '@/lib/contract/request'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { send } from '@/lib/portal/upstream/egress'
import { getSettings } from '@/lib/settings/settings'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { brief, call, failed, list, startBareServer } from './egress-call'

// Test upstreams are on loopback.
getSettings().allowedPrivateUpstreams = ['127.0.0.1', 'localhost']
afterEach(closeAgents)

test('a request has the bearer key, asks for uncompressed JSON, and its body and headers arrive as encoded', async () => {
  await using upstream = await startUpstream({ extensions: true })
  const body = 'name=a&ids%5B%5D=1'
  const request: EncodedRequest = { method: 'POST', path: '/servers/create', body, contentType: 'application/x-www-form-urlencoded' }
  expect(await call(upstream, request, { accept: 'text/event-stream', lastEventId: '7' })).toMatchObject({
    kind: 'answer',
    extensions: true,
  })
  expect(upstream.calls).toHaveLength(1)
  expect(upstream.calls[0]).toMatchObject({ method: 'POST', path: '/servers/create', body })
  expect(upstream.calls[0]?.headers).toMatchObject({
    authorization: `Bearer ${upstream.key}`,
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    'content-type': 'application/x-www-form-urlencoded',
    'last-event-id': '7',
  })
})

test('the base path precedes the path of the operation', async () => {
  await using upstream = await startUpstream()
  const credential = { credentialId: 'c1', address: { origin: upstream.origin, basePath: '/api/v1' }, key: Buffer.from(upstream.key) }
  await send(credential, list, { pace: 'read' })
  expect(upstream.calls[0]?.path).toBe('/api/v1/servers/')
})

test('a request that cannot be written is not sent', async () => {
  await using upstream = await startUpstream()
  for (const request of [
    { method: 'GET', path: '/ser\u0001vers' },
    { method: 'GET', path: 'servers' },
  ] as const) {
    expect(await call(upstream, request)).toEqual(failed('upstream_not_understood', false))
  }
  expect(await call(upstream, list, { lastEventId: '1\r\nx: y' })).toEqual(failed('upstream_not_understood', false))
  expect(upstream.calls).toEqual([])
})

test('a service without our extensions is recognised', async () => {
  await using upstream = await startUpstream()
  expect(await call(upstream)).toEqual({
    kind: 'answer',
    status: 200,
    contentType: 'application/json',
    body: expect.stringContaining('"items"'),
    extensions: false,
    retryAfter: null,
  })
})

for (const status of [301, 302, 303, 307, 308] as const) {
  test(`security 32: a ${status} to another server, the same one or itself is not followed`, async () => {
    await using elsewhere = await startUpstream()
    for (const redirectTo of [`${elsewhere.origin}/servers/`, '/sites', '/servers/', 'https://127.0.0.1/', '//evil.example', '']) {
      await using upstream = await startUpstream({ redirectTo })
      upstream.set(`redirect-${status}`)
      expect(await call(upstream)).toMatchObject({ kind: 'answer', status, body: '' })
      expect(upstream.calls).toHaveLength(1)
    }
    expect(elsewhere.sockets).toBe(0)
  })
}

test('security 33: a closed port, an unknown name and a reset are distinguished by whether anything was sent', async () => {
  await using bare = await startBareServer((socket) => socket.destroy())
  const { origin } = bare
  await bare[Symbol.asyncDispose]()
  expect(await call({ origin, key: bare.key })).toEqual(failed('upstream_unreachable', false))
  expect(await call({ origin: 'https://no-such-host.invalid', key: bare.key })).toEqual(failed('upstream_unreachable', false))
  await using upstream = await startUpstream()
  upstream.set('reset-before')
  expect(await call(upstream)).toEqual(failed('upstream_unreachable', true))
})

test('security 34: a service that sends nothing, or its head byte by byte, is abandoned and its socket closed', async () => {
  for (const fault of ['hang', 'slow-head'] as const) {
    await using upstream = await startUpstream({ msPerByte: 20 })
    upstream.set(fault)
    expect(await call(upstream, list, { limits: brief }), fault).toEqual(failed('upstream_too_slow', true))
    await expect.poll(() => upstream.sockets).toBe(0)
  }
})

test('security 34: a body that arrives byte by byte is cut by the total limit, one that stops by the idle limit', async () => {
  await using upstream = await startUpstream({ msPerByte: 50 })
  upstream.set('slow-body')
  expect(await call(upstream, list, { limits: brief })).toEqual(failed('upstream_too_slow', true))
  await using silent = await startBareServer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{'),
  )
  expect(await call(silent, list, { limits: { ...brief, totalMs: 60_000 } })).toEqual(failed('upstream_too_slow', true))
  await expect.poll(() => upstream.sockets).toBe(0)
})

test('security 35: 100 MB and a gzip bomb are cut off early, and memory does not grow', async () => {
  for (const [fault, code] of [
    ['huge-body', 'upstream_too_large'],
    ['gzip-bomb', 'upstream_not_understood'],
  ] as const) {
    await using upstream = await startUpstream()
    upstream.set(fault)
    const before = process.memoryUsage().rss
    expect(await call(upstream)).toEqual(failed(code, true))
    await expect.poll(() => upstream.sockets).toBe(0)
    expect(process.memoryUsage().rss - before, fault).toBeLessThan(50 * 1024 * 1024)
    expect(upstream.bytesSent, fault).toBeLessThan(40 * 1024 * 1024)
  }
})

test('security 35: just under 8 MB is accepted, and an announced length above 8 MB is not waited for', async () => {
  const body = `{"success":true,"filler":"${'a'.repeat(8 * 1024 * 1024 - 100)}"}`
  await using large = await startBareServer((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)),
  )
  expect(await call(large)).toMatchObject({ kind: 'answer', body })
  await using boasting = await startBareServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 8388609\r\n\r\n'))
  expect(await call(boasting)).toEqual(failed('upstream_too_large', true))
})

test('security 35: a wrong length and nesting 100,000 deep are typed failures', async () => {
  await using upstream = await startUpstream()
  upstream.set('wrong-length', { times: 1 })
  expect(await call(upstream)).toEqual(failed('upstream_unreachable', true))
  upstream.set('deep-nesting', { times: 1 })
  expect(await call(upstream)).toEqual(failed('upstream_not_understood', true))
  // Still JSON texts that somebody else judges.
  for (const fault of ['truncated-json', 'repeated-names', 'proto-name'] as const) {
    upstream.set(fault, { times: 1 })
    expect(await call(upstream), fault).toMatchObject({ kind: 'answer', status: 200 })
  }
})

test('security 35: bytes that are not HTTP, endless headers and a thousand early hints end in typed failures', async () => {
  const speeches = [
    'SSH-2.0-OpenSSH_9.2\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`,
    'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
    '\0\0\0\0',
  ]
  for (const speech of speeches) {
    await using bare = await startBareServer((socket) => socket.once('data', () => socket.write(speech)))
    const reply = await call(bare, list, { limits: brief })
    expect(reply, speech.slice(0, 20)).toMatchObject({ kind: 'failed', sent: true })
    expect(JSON.stringify(reply)).not.toContain('SSH-2.0')
    expect(bare.connections()).toBe(1)
  }
})

test('security 36: HTML and empty bodies are returned as answers with their type', async () => {
  await using upstream = await startUpstream()
  upstream.set('html', { times: 1 })
  expect(await call(upstream)).toMatchObject({ kind: 'answer', status: 200, contentType: 'text/html' })
  upstream.set('empty', { times: 1 })
  expect(await call(upstream)).toMatchObject({ kind: 'answer', status: 200, body: '' })
})

test('security 39: a request that died after it was received was sent exactly once, by every method', async () => {
  await using upstream = await startUpstream()
  const serverId = upstream.addServer()
  // A socket already in use is where clients are tempted to send again.
  await call(upstream)
  upstream.set('reset-after')
  for (const request of [
    { method: 'GET', path: `/servers/${serverId}/delete` },
    { method: 'POST', path: '/sites/create', body: 'domain=a' },
  ] as const) {
    expect(await call(upstream, request)).toEqual(failed('upstream_unreachable', true))
    expect(upstream.callsTo(request.method, request.path)).toHaveLength(1)
  }
})

test('a call aborted before it began was not sent; one aborted later may have been', async () => {
  await using upstream = await startUpstream()
  expect(await call(upstream, list, { signal: AbortSignal.abort() })).toEqual(failed('upstream_unreachable', false))
  expect(upstream.calls).toEqual([])
  upstream.set('hang')
  const controller = new AbortController()
  const pending = call(upstream, list, { signal: controller.signal })
  await expect.poll(() => upstream.calls.length).toBe(1)
  controller.abort()
  expect(await pending).toEqual(failed('upstream_unreachable', true))
  await expect.poll(() => upstream.sockets).toBe(0)
})

test('security 2: an echoed key is removed from the answer', async () => {
  await using upstream = await startUpstream()
  upstream.set('echo-key')
  const reply = await call(upstream)
  expect(reply).toMatchObject({ kind: 'answer', status: 500, body: expect.stringContaining('Bad Bearer [redacted]') })
  expect(JSON.stringify(reply)).not.toContain(upstream.key)
})

test('security 2: a key echoed in a stream, split between two pieces, is removed', async () => {
  const key = 'gh_bare-server-key'
  await using bare = await startBareServer((socket) => {
    socket.setNoDelay(true)
    const pieces = ['HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n', `data: ${key.slice(0, 5)}`, `${key.slice(5)} on\n`]
    const speak = () => {
      const piece = pieces.shift()
      if (piece === undefined) return socket.end()
      socket.write(piece, () => setTimeout(speak, 20))
    }
    socket.once('data', speak)
  })
  const reply = await call(bare, list, { pace: 'stream' })
  if (reply.kind !== 'stream') throw new Error(`No stream but ${reply.kind}`)
  const pieces: Uint8Array[] = []
  for await (const chunk of reply.chunks) pieces.push(chunk)
  expect(Buffer.concat(pieces).toString()).toBe('data: [redacted] on\n')
})

test('security 2: a key written with escapes is removed from the decoded answer, also from names', async () => {
  const key = 'gh_bare-server-key'
  const written = `\\u0067h_${key.slice(3)}`
  const server = { id: '1', name: 'web', hostname: 'web.example', ip: written, dns: `x ${written}` }
  const body = `{"success":true,"items":[${JSON.stringify(server).replaceAll('\\\\', '\\')}],"${written}":1}`
  await using bare = await startBareServer((socket) =>
    socket.once('data', () =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    ),
  )
  const reply = await call(bare)
  if (reply.kind !== 'answer') throw new Error(`No answer but ${reply.kind}`)
  expect(JSON.stringify(JSON.parse(reply.body))).not.toContain(key)
  const decoded = decodeAnswer(contract.servers.list, reply)
  expect(decoded).toMatchObject({ ok: true, data: { items: [{ name: 'web', ip: '[redacted]', dns: 'x [redacted]' }] } })
})
