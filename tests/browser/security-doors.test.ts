/** Long, slow or malformed requests to a complete portal: refused, while its event loop keeps running. */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createEventLoopMonitor, type Period } from '../support/event-loop-monitor/monitor'
import { chunks, filler, sendRaw } from '../support/raw-request'
import { callAction, Form } from './security/action-call'
import { openEstate } from './security/estate'

const monitor = createEventLoopMonitor()
const estate = await openEstate(process.cwd(), {}, { ...monitor.env, LOG_LEVEL: 'info' })
afterAll(async () => {
  await estate[Symbol.asyncDispose]()
  monitor[Symbol.dispose]()
})

const { port } = estate.place
const megabytes = (count: number) => count * 1_048_576

/** The best of three, because a garbage collection that was due anyway is no effect of the request. */
async function measure(act: () => Promise<void>): Promise<Period> {
  await act()
  const rounds: Period[] = []
  while (rounds.length < 3 && !rounds.some(({ longestStallMs }) => longestStallMs < 100)) rounds.push(await monitor.during('portal', act))
  return rounds.reduce((best, round) => (round.longestStallMs < best.longestStallMs ? round : best))
}

const head = (first: string, ...headers: string[]) =>
  [`${first} HTTP/1.1`, `Host: localhost:${port}`, 'Connection: close', `Origin: ${estate.caller.origin}`, ...headers, '', ''].join('\r\n')

const form = 'Content-Type: application/x-www-form-urlencoded'
const action = (name: string) => `Next-Action: ${estate.action(name).id}`
const multipart = 'Content-Type: multipart/form-data; boundary=b'

const doors: [first: string, ...headers: string[]][] = [
  ['POST /api/auth/callback/credentials', form],
  ['POST /api/auth/_log', form],
  ['POST /api/auth/nothing', form],
  ['POST /sign-in', multipart, action('signIn')],
  ['POST /sign-in', 'Content-Type: text/plain', action('signIn')],
  [`POST ${estate.action('deleteMessages').page}`, multipart, action('deleteMessages')],
  ['POST /servers', multipart, action('changeServerLabels')],
  ['POST /_next/static/nothing.js', form],
  ['POST /nothing/at/all', form],
  ['GET /api/servers'],
  ['HEAD /sign-in'],
]

test.each(doors)('security 28: 100 MB sent to %s are refused unread, and the event loop is not blocked', async (first, ...headers) => {
  const before = (await monitor.read('portal')).rssMb
  const { longestStallMs, rssMb } = await measure(async () => {
    const announced = await sendRaw(port, head(first, ...headers, `Content-Length: ${megabytes(100)}`), filler(megabytes(100)))
    const counted = await sendRaw(port, head(first, ...headers, 'Transfer-Encoding: chunked'), chunks(megabytes(100)))
    expect([first, announced.status, counted.status]).toEqual([first, 413, 413])
    for (const { sentBytes } of [announced, counted]) expect(sentBytes).toBeLessThan(megabytes(16))
  })
  expect([first, rssMb - before]).toEqual([first, expect.toSatisfy((mb: number) => mb < 100)])
  expect([first, longestStallMs]).toEqual([first, expect.toSatisfy((ms: number) => ms < 100)])
})

/** The longest bodies allowed: for everybody, and for signed-in users. */
const heaviest: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => `[null,${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}]`,
  text: (bytes) => `[null,"${'x'.repeat(bytes)}"]`,
  numbers: (bytes) => `[null,[1${',1'.repeat(bytes / 2)}]]`,
  'references to one form': (bytes) => `[null${',"$K2"'.repeat(bytes / 6)}]`,
}

const fieldsOf = (bytes: number) => {
  let text = ''
  for (let at = 0; text.length < bytes; at += 1) text += `--b\r\nContent-Disposition: form-data; name="_2_f${at}"\r\n\r\nx\r\n`
  return text
}

test.each([
  ['anybody', 60_000],
  ['a viewer', 520_000],
] as const)('security 28: the largest form that %s accepts blocks the event loop for less than 100 ms', async (who, bytes) => {
  const { cookie } = await estate.join('ours', 'viewer')
  const { page, id } = estate.action('deleteMessages')
  const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  const bodies = Object.entries(heaviest).map(([what, write]) => [what, `${part('0', write(bytes))}--b--\r\n`])
  bodies.push(['fields', `${fieldsOf(bytes)}${part('0', '[null,"$K2"]')}--b--\r\n`])
  const sent = { method: 'POST', ...(who === 'a viewer' && { cookie }) }
  const stalls: Record<string, number> = {}
  for (const [what = '', body = ''] of bodies) {
    const headers = { origin: estate.caller.origin, 'next-action': id, 'content-type': 'multipart/form-data; boundary=b' }
    const { longestStallMs } = await measure(async () => {
      const { status } = await estate.caller.call(page, { ...sent, headers, body })
      expect([what, status]).not.toEqual([what, 413])
    })
    stalls[what] = Math.round(longestStallMs)
  }
  expect(stalls).toEqual(Object.fromEntries(Object.keys(stalls).map((what) => [what, expect.toSatisfy((ms: number) => ms < 100)])))
})

const malformed = [
  'GET //',
  'GET /%',
  'GET /%ff',
  'GET /\\',
  'GET http://evil/',
  `GET /${'x'.repeat(100_000)}`,
  'TRACE /',
  'TRACE /servers',
  'CONNECT localhost:22',
  'PUT /servers',
  'DELETE /api/servers',
  'WHATEVER /',
]

test('security 24: malformed addresses, unusual methods and duplicate headers get 4xx, without a stack trace in answer or log', async () => {
  const logged = estate.gatehouse.output().length
  const sent = [
    ...malformed.map((first) => head(first)),
    head('POST /sign-in', 'Origin: http://evil.example', action('signIn'), 'Content-Length: 0'),
    head('GET /sign-in', 'Host: evil.example'),
    // No chunk begins like this.
    `${head('POST /sign-in', multipart, action('signIn'), 'Transfer-Encoding: chunked')}zz\r\n`,
  ]
  for (const request of sent) {
    const { status, text, tookMs } = await sendRaw(port, request)
    const first = request.slice(0, 40)
    expect([first, tookMs]).toEqual([first, expect.toSatisfy((ms: number) => ms < 5000)])
    expect([first, status]).toEqual([first, expect.toSatisfy((code: number) => code >= 400 && code < 500)])
    expect([first, text]).toEqual([first, expect.not.stringMatching(/\n {4}at |node_modules/)])
  }
  for (const first of ['POST /sign-in', 'POST /api/auth/_log', 'POST /servers'])
    await sendRaw(port, head(first, multipart, action('signIn'), 'Transfer-Encoding: chunked'), chunks(megabytes(1)))
  await delay(500)
  expect(estate.gatehouse.output().slice(logged)).not.toMatch(/"level":[56]0| {4}at |\\n {4}at /)
})

test('security 28: a body that takes longer than 30 seconds gets 408, and a longer stream is not cut', async () => {
  const { cookie } = await estate.join('ours', 'viewer')
  let over = false
  async function* slowly() {
    while (!over) {
      await delay(500)
      yield Buffer.from('x')
    }
  }
  const stream = connect(port, '127.0.0.1')
  let streaming = true
  stream.on('data', () => {})
  stream.once('close', () => {
    streaming = false
  })
  // An install without further output: its stream stays open.
  const { upstream } = estate.teams.ours
  upstream.set('stalled-stream')
  const install = await callAction(estate.caller, estate.action('installServer'), [null, new Form({ serverId: estate.serverId })], {
    cookie: estate.owner.cookie,
  })
  const { data } = install.value as { data: { jobId: string } }
  stream.write(`GET /api/jobs/${data.jobId}/events HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}\r\n\r\n`)
  const silent = sendRaw(port, '')
  const slowHead = sendRaw(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nX-`, slowly())
  const body = await sendRaw(port, head('POST /sign-in', multipart, action('signIn'), 'Content-Length: 1000'), slowly())
  over = true
  expect([body.status, (await slowHead).status, (await silent).status]).toEqual([408, 408, 408])
  expect(body.tookMs).toBeGreaterThan(29_000)
  expect(body.tookMs).toBeLessThan(40_000)
  expect((await slowHead).tookMs).toBeLessThan(20_000)
  expect(streaming).toBe(true)
  stream.destroy()
  upstream.clear()
})
