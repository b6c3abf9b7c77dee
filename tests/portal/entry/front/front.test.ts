import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { packAssets } from '@/lib/launcher/pack-assets.mjs'
import { jsonResponse } from '@/lib/portal/base/request/whole-response'
import { loadAssets } from '@/lib/portal/entry/front/assets.mjs'
import { createFront } from '@/lib/portal/entry/front/front'
import { findRead, offerReads } from '@/lib/portal/entry/front/reads'
import { getSettings } from '@/lib/settings/settings'

const place = mkdtempSync(join(tmpdir(), 'gatehouse-assets-'))
const folder = join(place, 'static')
const script = `${'shared words '.repeat(500)}\n`
mkdirSync(join(folder, 'chunks'), { recursive: true })
writeFileSync(join(place, 'BUILD_ID'), 'the build')
writeFileSync(join(folder, 'chunks/a.js'), script)
writeFileSync(join(folder, 'b.woff2'), 'font')
packAssets(folder)
afterAll(() => rmSync(place, { recursive: true }))

const assets = loadAssets(folder)

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

type AnswerByNext = Parameters<typeof createFront>[0]

const sayWhatWasAsked: AnswerByNext = (request, response) => response.end(`Next: ${request.method} ${request.url}`)

/** The front before a Next that says what it was asked. */
async function openFront(answerByNext = sayWhatWasAsked) {
  const server = createServer(createFront(answerByNext, assets)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const asking = ask({ host: '127.0.0.1', port, path, method, headers: { connection: 'close', ...headers } }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }))
      })
      asking.once('error', reject).end()
    })
  return { port, get, [Symbol.asyncDispose]: async () => void server.close() }
}

const offer = (body: string, init: ResponseInit = {}): Promise<void> => offerResponse(() => new Response(body, init))

async function offerResponse(make: () => Response): Promise<void> {
  offerReads(async () => ({ '/api/known': async () => make() }))
  findRead('/api/known')
  await vi.waitFor(() => expect(findRead('/api/known')).not.toBeNull())
}

test('built files are sent precompressed, cacheable for a year, in an encoding the browser supports', async () => {
  await using front = await openFront()
  const path = '/_next/static/chunks/a.js'
  const [br, gz, plain] = [
    await front.get(path, { 'accept-encoding': 'gzip, br' }),
    await front.get(path, { 'accept-encoding': 'gzip' }),
    await front.get(path),
  ]
  expect([br, gz, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  expect([brotliDecompressSync(br.body), gunzipSync(gz.body), plain.body].map(String)).toEqual([script, script, script])
  expect(br.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'content-length': String(br.body.length),
  })
  expect(String(br.headers['content-type'])).toMatch(/^text\/javascript/)
  const refused = await front.get(path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
  expect([refused.headers['content-encoding'], String(refused.body)]).toEqual([undefined, script])
  const head = await front.get(path, {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(script.length), 0])
  expect(String((await front.get('/_next/static/b.woff2', { 'accept-encoding': 'br' })).body)).toBe('font')
})

test('a range request gets the whole file, and a file removed by a build is still served', async () => {
  await using front = await openFront()
  rmSync(join(folder, 'b.woff2'))
  for (const range of ['bytes=10-5', 'bytes=-2', 'bytes=0-1', 'pages=abc']) {
    const answer = await front.get('/_next/static/b.woff2', { range })
    expect([answer.status, String(answer.body)]).toEqual([200, 'font'])
  }
})

test.each([
  '/_next/static/absent.js',
  '/_next/static/../BUILD_ID',
  '/_next/static/%2e%2e/BUILD_ID',
  '/_next/static/chunks/',
  '/_next/static/chunks/a.js.br',
])('what is no built file is Next’s, by the path it came with: %s', async (path) => {
  await using front = await openFront()
  expect(String((await front.get(`${path}?x=1`)).body)).toBe(`Next: GET ${path}?x=1`)
  expect(String((await front.get('/_next/static/chunks/a.js', {}, 'POST')).body)).toBe('Next: POST /_next/static/chunks/a.js')
})

test('Next never sees the header that makes it skip proxy.ts, however it is written', async () => {
  await using front = await openFront(({ headers }, response) => response.end(JSON.stringify(headers)))
  for (const name of ['x-prerender-revalidate', 'X-Prerender-Revalidate']) {
    const seen = JSON.parse(String((await front.get('/servers', { [name]: 'the public id of preview mode', 'x-other': 'stays' })).body))
    expect(seen).not.toHaveProperty('x-prerender-revalidate')
    expect(seen).toMatchObject({ 'x-other': 'stays' })
  }
})

test('a read is answered without Next, other methods of it by Next', async () => {
  await offer('{"ok":true}', { headers: { 'content-type': 'application/json' } })
  await using front = await openFront()
  const read = await front.get('/api/known?x=1', { 'accept-encoding': 'gzip' })
  expect(String(read.body)).toBe('{"ok":true}')
  expect(read.headers['content-encoding']).toBeUndefined()
  expect(String((await front.get('/api/known', {}, 'POST')).body)).toBe('Next: POST /api/known')
})

test('a long answer is compressed, a stream with no-transform is not', async () => {
  await using front = await openFront()
  const json = { 'content-type': 'application/json' }
  await offer(JSON.stringify(Array.from({ length: 900 }, (_, place) => ({ place }))), { headers: json })
  const long = await front.get('/api/known', { 'accept-encoding': 'gzip' })
  expect([long.headers['content-encoding'], JSON.parse(String(gunzipSync(long.body))).length]).toEqual(['gzip', 900])
  await offer('data: x\n\n'.repeat(900), { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-transform' } })
  const stream = await front.get('/api/known', { 'accept-encoding': 'gzip' })
  expect([stream.headers['content-encoding'], stream.body.length]).toEqual([undefined, 8100])
})

test('an answer that is one text is sent with its length, status and headers, compressed if it is long', async () => {
  await using front = await openFront()
  await offerResponse(() => jsonResponse({ ok: false, why: 'größer' }, { status: 404, headers: { 'cache-control': 'no-store' } }))
  const short = await front.get('/api/known', { 'accept-encoding': 'gzip' })
  expect([short.status, String(short.body)]).toEqual([404, '{"ok":false,"why":"größer"}'])
  expect(short.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store', 'content-length': '29' })
  expect(short.headers).toHaveProperty('x-content-type-options', 'nosniff')
  await offerResponse(() => jsonResponse('ü'.repeat(5000)))
  const long = await front.get('/api/known', { 'accept-encoding': 'gzip' })
  expect([long.headers['content-encoding'], JSON.parse(String(gunzipSync(long.body)))]).toEqual(['gzip', 'ü'.repeat(5000)])
  expect(long.headers['content-length']).toBeUndefined()
})

test('a stream’s data arrives while it is open, and it is notified when the client disconnects', async () => {
  let left = () => {}
  const leaving = new Promise<void>((resolve) => (left = resolve))
  offerReads(async () => ({
    '/api/known': async (request) => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('data: first\n\n')) })
      request.signal.addEventListener('abort', () => left())
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-transform' } })
    },
  }))
  findRead('/api/known')
  await vi.waitFor(() => expect(findRead('/api/known')).not.toBeNull())
  await using front = await openFront()
  const leave = new AbortController()
  const answer = await fetch(`http://127.0.0.1:${front.port}/api/known`, { signal: leave.signal })
  const first = await answer.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('data: first\n\n')
  leave.abort()
  await leaving
})

test('an error thrown by Next is a plain 500 and leaves no open connection', async () => {
  for (const failing of [() => Promise.reject(new Error('canary')), () => expect.fail('canary')] as AnswerByNext[]) {
    await using front = await openFront(failing)
    const answer = await front.get('/')
    expect([answer.status, answer.body.length]).toEqual([500, 0])
  }
})

test('every answer has security headers; the policy for data allows nothing at all', async () => {
  await offer('{}')
  await using front = await openFront()
  for (const path of ['/', '/api/known', '/api/auth/session', '/_next/static/chunks/a.js']) {
    expect((await front.get(path)).headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'cross-origin-opener-policy': 'same-origin',
    })
  }
  const policies = await Promise.all(
    ['/api/known', '/api/auth/session', '/'].map(async (path) => (await front.get(path)).headers['content-security-policy']),
  )
  expect(policies).toEqual([expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/), policies[0], undefined])
})

test('HSTS is sent only if users come by https', async () => {
  const settings = getSettings()
  const ask = async () => {
    await using front = await openFront()
    return (await front.get('/')).headers['strict-transport-security']
  }
  expect(await ask()).toBeUndefined()
  vi.spyOn(settings, 'secureCookies', 'get').mockReturnValue(true)
  expect(await ask()).toBe('max-age=31536000')
})
