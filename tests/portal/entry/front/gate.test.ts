/** What the front refuses before Next or a route sees it: real sockets, and a stand-in for Next. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request as ask } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { log } from '@/lib/log'
import { longerBodies, usualBytes } from '@/lib/portal/entry/front/body-limits'
import { createFront } from '@/lib/portal/entry/front/front'
import { createFrontServer } from '@/lib/portal/entry/front/server.mjs'
import { sealSid } from '@/lib/portal/identity/cookie'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase } from '../../../support/portal-database'
import { chunks, filler, sendRaw } from '../../../support/raw-request'
import { addPerson, openFor } from '../../identity/people'

type AnswerByNext = Parameters<typeof createFront>[0]

/** Reads the whole body and says how long it was. */
const readAll: AnswerByNext = async (request, response) => {
  let bytes = 0
  for await (const part of request) bytes += part.length
  response.end(`Next: ${bytes}`)
}

/** Answers without reading. */
const readNothing: AnswerByNext = (_request, response) => response.end('Next')

async function openFront(
  answerByNext = readAll,
  limits?: { headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number },
) {
  const asked: string[] = []
  const watched: AnswerByNext = (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    return answerByNext(request, response)
  }
  const server = createFrontServer(createFront(watched, new Map()), limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, asked, [Symbol.asyncDispose]: close }
}

/** A request's head; `Connection: close` so that the end of the answer is the end of the connection. */
const head = (first: string, ...headers: string[]) =>
  [`${first} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')

const megabytes = (count: number) => count * 1_048_576

const hasty = { headersTimeout: 800, requestTimeout: 1500, connectionsCheckingInterval: 50 }

const everywhere = [
  'POST /sign-in',
  'POST /api/auth/callback/credentials',
  'POST /api/nothing',
  'POST /_next/static/nothing.js',
  'POST /_next/data',
  'POST /servers/x/mail',
  'POST /servers',
  'POST /',
  'GET /',
  'GET /api/servers',
  'HEAD /sign-in',
]

test.each(everywhere)('security 28: %s with a body over 64 KB is answered 413 with a sentence, before anything is read', async (first) => {
  await using front = await openFront()
  const answer = await sendRaw(front.port, head(first, `Content-Length: ${megabytes(100)}`), filler(megabytes(100)))
  expect(answer.status).toBe(413)
  if (!first.startsWith('HEAD'))
    expect(answer.text).toMatch(/content-type: text\/plain\r\n[\s\S]*\r\n\r\nThe request is larger than \d+ KB\. Nothing was done\.$/i)
  expect(answer.text).toMatch(/x-content-type-options: nosniff/i)
  // What the sockets on both sides hold.
  expect(answer.sentBytes).toBeLessThan(megabytes(16))
  expect(front.asked).toEqual([])
})

test.each(everywhere)('security 28: %s with a body of unannounced length is cut at 64 KB, and Next never sees it', async (first) => {
  await using front = await openFront(readNothing)
  const answer = await sendRaw(front.port, head(first, 'Transfer-Encoding: chunked'), chunks(megabytes(100)))
  expect([answer.status, front.asked]).toEqual([413, []])
  expect(answer.sentBytes).toBeLessThan(megabytes(16))
})

test('Next never sees a body that breaks off, and no error is logged', async () => {
  const logged = vi.spyOn(log, 'error').mockClear()
  await using front = await openFront(readNothing)
  for (const headers of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    const socket = connect(front.port, '127.0.0.1')
    socket.write(`${head('POST /sign-in', headers)}3\r\nabc\r\n`)
    await delay(100)
    socket.destroy()
  }
  await delay(100)
  expect([front.asked, logged.mock.calls]).toEqual([[], []])
})

test('a body of exactly 64 KB arrives completely, announced and in chunks', async () => {
  await using front = await openFront()
  const announced = await sendRaw(front.port, head('POST /sign-in', `Content-Length: ${usualBytes}`), filler(usualBytes))
  expect(announced.text).toMatch(/Next: 65536/)
  const chunked = await sendRaw(front.port, head('POST /sign-in', 'Transfer-Encoding: chunked'), [
    ...chunks(usualBytes),
    Buffer.from('0\r\n\r\n'),
  ])
  expect(chunked.text).toMatch(/Next: 65536/)
  const over = await sendRaw(front.port, head('POST /sign-in', `Content-Length: ${usualBytes + 1}`), filler(usualBytes + 1))
  expect(over.status).toBe(413)
})

test('pages with long lists accept longer bodies from signed-in users only', async () => {
  await using _portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  await using front = await openFront()
  const send = async (path: string, bytes: number, value: string) =>
    (await sendRaw(front.port, head(`POST ${path}`, `Content-Length: ${bytes}`, `Cookie: gatehouse-session=${value}`), filler(bytes)))
      .status
  const cookie = await sealSid(sid)
  for (const { path, maxBytes } of longerBodies) {
    const page = path.replace('[serverId]', 'some-server')
    const statuses = [
      await send(page, maxBytes, cookie),
      await send(page, maxBytes + 1, cookie),
      await send(page, usualBytes + 1, 'forged'),
    ]
    expect([path, ...statuses]).toEqual([path, 200, 413, 413])
    expect([path, await send(`${page}/more`, usualBytes + 1, cookie)]).toEqual([path, 413])
  }
})

test('every path with a longer limit is a page, and gives a reason', () => {
  for (const { path, why } of longerBodies) {
    expect([path, existsSync(`app/(portal)${path}/page.tsx`)]).toEqual([path, true])
    expect(why).toMatch(/^[A-Z].{20,}\.$/)
  }
})

test('a client that expects 100-continue is asked for a body within the limit, and refused a longer one', async () => {
  await using front = await openFront()
  const send = (bytes: number) =>
    new Promise<{ asked: boolean; status: number }>((resolve, reject) => {
      let asked = false
      const headers = { expect: '100-continue', 'content-length': bytes, connection: 'close' }
      const sending = ask({ port: front.port, host: '127.0.0.1', path: '/sign-in', method: 'POST', headers }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve({ asked, status: answer.statusCode ?? 0 }))
      })
      sending.once('continue', () => {
        asked = true
        sending.end(Buffer.alloc(bytes))
      })
      sending.once('error', reject)
      sending.flushHeaders()
    })
  expect(await send(1000)).toEqual({ asked: true, status: 200 })
  expect(await send(usualBytes + 1)).toEqual({ asked: false, status: 413 })
})

const malformed = [
  '//',
  '//evil.example/',
  '/%',
  '/%f',
  '/%ff',
  '/%00',
  '/a%0d%0ab',
  '/\\',
  '/a\\b',
  'http://evil/',
  'http://localhost/',
  '*',
]

test.each(malformed)('security 24: GET %s is answered 400 with a sentence, by the front', async (url) => {
  await using front = await openFront()
  const answer = await sendRaw(front.port, head(`GET ${url}`))
  expect([answer.status, front.asked]).toEqual([400, []])
  expect(answer.text).toMatch(/This address is malformed\.$/)
})

test.each(['x', '\\', ''])('security 24: GET %j is not a valid request and answered 400', async (url) => {
  await using front = await openFront()
  expect([(await sendRaw(front.port, head(`GET ${url}`))).status, front.asked]).toEqual([400, []])
})

test('security 24: a path too long for any header is refused', async () => {
  await using front = await openFront()
  expect((await sendRaw(front.port, head(`GET /${'x'.repeat(100_000)}`))).status).toBe(431)
  expect(front.asked).toEqual([])
})

test.each(['TRACE', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL', 'SEARCH', 'M-SEARCH'])(
  'security 24: %s is answered 405',
  async (method) => {
    await using front = await openFront()
    const answer = await sendRaw(front.port, head(`${method} /servers`, 'X-Secret: canary'))
    expect([answer.status, front.asked]).toEqual([405, []])
    expect(answer.text).toMatch(/^Allow: GET, HEAD, POST\r$/m)
    expect(answer.text).not.toContain('canary')
  },
)

test('security 24: CONNECT is answered 405 and opens no tunnel, and a missing method is answered 400', async () => {
  await using front = await openFront()
  const answer = await sendRaw(front.port, 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n')
  expect(answer.status).toBe(405)
  expect((await sendRaw(front.port, head('WHATEVER /'))).status).toBe(400)
  expect(front.asked).toEqual([])
})

test.each([
  ['host', 'Host: evil.example'],
  ['origin', 'Origin: http://localhost\r\nORIGIN: http://evil.example'],
  ['origin', 'Origin: http://localhost\r\nOrigin: http://localhost'],
])('security 24: two headers %s are answered 400', async (name, headers) => {
  await using front = await openFront()
  const answer = await sendRaw(front.port, head('POST /sign-in', headers, 'Content-Length: 0'))
  expect([answer.status, front.asked]).toEqual([400, []])
  expect(answer.text).toContain(`The request has two ${name} headers.`)
})

test('an action of our own page that arrives with another Host is refused with what the proxy has to do', async () => {
  await using front = await openFront()
  const { publicUrl } = getSettings()
  const send = (host: string, origin: string) =>
    sendRaw(front.port, head('POST /servers', `Origin: ${origin}`, 'Content-Length: 0').replace('Host: localhost', `Host: ${host}`))
  const refused = await send('127.0.0.1:9', publicUrl.origin)
  expect([refused.status, front.asked]).toEqual([421, []])
  expect(refused.text).toContain('The proxy in front of Gatehouse changes the Host header')
  // The browser chose these, and what comes from elsewhere is refused later.
  expect((await send(publicUrl.host, publicUrl.origin)).status).toBe(200)
  expect((await send('127.0.0.1:9', 'https://evil.example')).status).toBe(200)
})

test.each([
  ['a proxy', '', /^a proxy changed the Host header/],
  ['Next itself, which sends on what a page that was left had sent', 'X-Action-Forwarded: 1', /was sent on by Next and refused$/],
])('the log of an action with another Host names who it was: %s', async (_who, header, message) => {
  await using front = await openFront()
  using warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const headers = [`Origin: ${getSettings().publicUrl.origin}`, 'Content-Length: 0', ...(header === '' ? [] : [header])]
  const refused = await sendRaw(front.port, head('POST /sites/new', ...headers).replace('Host: localhost', 'Host: 127.0.0.1:9'))
  expect([refused.status, front.asked]).toEqual([421, []])
  expect(warn.mock.calls).toEqual([[expect.anything(), expect.stringMatching(message)]])
})

test('ordinary addresses pass', async () => {
  await using front = await openFront()
  const paths = ['/', '/servers/a%20b?q=%', '/servers/x/logs?line=a\\b', '/servers/%C3%A9', '/a//b', '/api/jobs/x:y']
  for (const path of paths) expect([path, (await sendRaw(front.port, head(`GET ${path}`))).status]).toEqual([path, 200])
})

test('security 28: a body or head that does not arrive completely in time is answered 408 and its connection closed', async () => {
  await using front = await openFront(readAll, hasty)
  async function* slowly() {
    for (;;) {
      await delay(100)
      yield Buffer.from('x')
    }
  }
  const body = await sendRaw(front.port, head('POST /sign-in', 'Content-Length: 1000'), slowly())
  const slowHead = await sendRaw(front.port, 'GET / HTTP/1.1\r\nX-', slowly())
  expect([body.status, slowHead.status]).toEqual([408, 408])
  expect(body.tookMs).toBeGreaterThan(hasty.requestTimeout - 50)
})

test('an answer may take longer than a request may', async () => {
  const late: AnswerByNext = async (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n')
    await delay(hasty.requestTimeout * 3)
    response.end('data: last\n\n')
  }
  await using front = await openFront(late, hasty)
  const both = [sendRaw(front.port, head('GET /')), sendRaw(front.port, head('POST /', 'Content-Length: 10'), filler(10))]
  for (const { text } of await Promise.all(both)) expect(text).toContain('data: last')
})
