/** Ways of going wrong. Each either happens instead of the operation, or after it was done. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import { phpWarning } from './variants'

type Failing = {
  options: { redirectTo?: string; msPerByte?: number; hugeBytes?: number; floodLines?: number }
  request: IncomingMessage
  countBytes(bytes: number): void
}

type FaultKind = { when: 'instead' | 'after'; answer(response: ServerResponse, failing: Failing): void | Promise<void> }

const send = (status: number, contentType: string, body: string, headers: Record<string, string> = {}): FaultKind => ({
  when: 'instead',
  answer: (response) => void response.writeHead(status, { 'content-type': contentType, ...headers }).end(body),
})

const json = (status: number, body: unknown, headers: Record<string, string> = {}): FaultKind =>
  send(status, 'application/json', typeof body === 'string' ? body : JSON.stringify(body), headers)

const redirect = (status: number): FaultKind => ({
  when: 'instead',
  answer: (response, { options }) =>
    void response.writeHead(status, { location: options.redirectTo ?? 'http://127.0.0.1:9/elsewhere' }).end(),
})

const after = (fault: FaultKind): FaultKind => ({ ...fault, when: 'after' })

const page = '<!doctype html><html><body><h1>It works!</h1><script>alert(1)</script></body></html>'

const hugeOf = (failing: Failing): number => failing.options.hugeBytes ?? 100 * 1024 * 1024

/** Waits until the other side took what was written, or went away. */
function roomIn(out: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      out.off('drain', go)
      out.off('close', go)
      resolve()
    }
    out.on('drain', go)
    out.on('close', go)
  })
}

/** The start of an answer, then so many letters, written no faster than the other side takes them. */
async function writeLetters(out: NodeJS.WritableStream, bytes: number, count: (bytes: number) => void): Promise<void> {
  const piece = 'a'.repeat(65_536)
  out.write('{"success":true,"items":[],"filler":"')
  for (let written = 0; written < bytes; written += piece.length) {
    if ('destroyed' in out && out.destroyed) return
    count(piece.length)
    if (!out.write(piece)) await roomIn(out)
  }
  out.end('"}')
}

/** So many lines of an install, in pieces of 500, as fast as the other side takes them; the last one says that it is done. */
async function writeFlood(out: NodeJS.WritableStream, lines: number): Promise<void> {
  const write = (from: number, count: number) =>
    out.write(
      Array.from({ length: count }, (_, index) => {
        const id = from + index
        const status = id === lines ? 'done' : 'running'
        return `id: ${id}\ndata: {"message":"Line ${id} of ${lines}","id":${id},"step":"packages","progress":1,"status":"${status}"}\n\n`
      }).join(''),
    )
  for (let next = 1; next <= lines; next += 500) {
    if ('destroyed' in out && out.destroyed) return
    if (!write(next, Math.min(500, lines - next + 1))) await roomIn(out)
  }
  out.end()
}

/** Sends bytes one at a time through the bare socket, so that even the head can be slow. */
function drip(response: ServerResponse, failing: Failing, fast: string, slow: string): void {
  const { socket } = failing.request
  socket.write(fast)
  let index = 0
  const timer = setInterval(() => {
    if (index < slow.length) socket.write(slow[index] ?? '')
    else socket.end()
    index += 1
  }, failing.options.msPerByte ?? 1000)
  response.once('close', () => clearInterval(timer))
  socket.once('close', () => clearInterval(timer))
}

const okBody = '{"success":true,"items":[]}'
const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${okBody.length}\r\n\r\n`

const kinds = {
  // Said with HTTP
  html: send(200, 'text/html', page),
  empty: send(200, 'application/json', ''),
  '500-html': send(500, 'text/html', page),
  '500-json': json(500, { success: false, error: 'Fatal error in <b>/var/www/api.php</b> on line 12' }),
  '502-html': send(502, 'text/html', page),
  'success-false': json(200, { success: false, error: 'The server is locked.' }),
  'success-word': json(200, { success: 'true', items: [] }),
  'success-absent': json(200, { items: [], item: [], cronjobs: [] }),
  'error-alone': json(200, { error: 'No such server.' }),
  'wrong-schema': json(200, { success: true, items: 'none', item: 7, cronjobs: 'x', users: 1, rules: 'x', messages: 'x', tables: 3 }),
  'host-unreachable': json(502, { success: false, error: 'The server cannot be reached.', code: 'unreachable' }),
  unauthorized: json(401, { success: false, error: 'Invalid key.' }),
  forbidden: json(403, { success: false, error: 'Not allowed.' }),
  'rate-limited': json(429, { success: false, error: 'Slow down.' }, { 'retry-after': '7' }),
  'redirect-301': redirect(301),
  'redirect-302': redirect(302),
  'redirect-303': redirect(303),
  'redirect-307': redirect(307),
  'redirect-308': redirect(308),
  'echo-key': {
    when: 'instead',
    answer: (response, { request }) => {
      const key = request.headers.authorization ?? ''
      response.writeHead(500, { 'content-type': 'application/json', 'x-echo': key })
      response.end(JSON.stringify({ success: false, error: `Bad ${key}`, headers: { authorization: key } }))
    },
  },
  // Broken bodies
  'truncated-json': send(200, 'application/json', '{"success":true,"items":[{"id":"1","na'),
  'wrong-length': {
    when: 'instead',
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(okBody.length + 20) })
      response.write(okBody, () => response.destroy())
    },
  },
  'deep-nesting': json(200, `{"success":true,"items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'repeated-names': json(200, '{"success":false,"success":true,"items":[]}'),
  'proto-name': json(200, '{"success":true,"items":[],"__proto__":{"polluted":true}}'),
  'huge-body': {
    when: 'instead',
    answer: (response, failing) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      return writeLetters(response, hugeOf(failing), failing.countBytes)
    },
  },
  'gzip-bomb': {
    when: 'instead',
    answer: async (response, failing) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      const packer = createGzip()
      packer.pipe(response)
      response.once('close', () => packer.destroy())
      await writeLetters(packer, hugeOf(failing), failing.countBytes)
    },
  },
  // Slow or cut connections
  'slow-head': { when: 'instead', answer: (response, failing) => drip(response, failing, '', head + okBody) },
  'slow-body': { when: 'instead', answer: (response, failing) => drip(response, failing, head, okBody) },
  hang: { when: 'instead', answer: () => undefined },
  'hang-after': { when: 'after', answer: () => undefined },
  'reset-before': { when: 'instead', answer: (_, { request }) => void request.socket.resetAndDestroy() },
  'reset-after': { when: 'after', answer: (_, { request }) => void request.socket.resetAndDestroy() },
  // Done, and answered in a way that nobody can read
  'html-after': after(send(200, 'text/html', page)),
  'empty-after': after(send(200, 'application/json', '')),
  'truncated-after': after(send(200, 'application/json', '{"success":tr')),
  '303-after': after(redirect(303)),
  '302-after': after(redirect(302)),
  '500-after': after(send(500, 'text/html', page)),
  '500-failed-after': after(json(500, { success: false, error: 'No mail could be sent.' })),
  '500-message-after': after(json(500, { message: 'Server Error' })),
  'gzip-after': after(send(200, 'application/json', 'x', { 'content-encoding': 'gzip' })),
  // An install that is answered in one piece
  'install-done': json(200, { status: 'done', message: 'Installed.' }),
  'install-success': json(200, { success: true }),
  'install-success-after-warning': send(200, 'text/html', `${phpWarning}{"success":true}`),
  'install-failed': json(200, { status: 'failed', error: 'The disk is full.' }),
  // The install stream
  'cut-stream': { when: 'after', answer: (response) => void response.destroy() },
  'cut-in-line': { when: 'after', answer: (response) => void response.destroy() },
  'stalled-stream': { when: 'after', answer: () => undefined },
  'flooding-stream': {
    when: 'instead',
    answer: (response, { options }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return writeFlood(response, options.floodLines ?? 240_000)
    },
  },
  'long-line': {
    when: 'instead',
    answer: async (response, failing) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('id: 1\ndata: ')
      await writeLetters(response, hugeOf(failing), failing.countBytes)
    },
  },
} as const satisfies Record<string, FaultKind>

export type Fault = keyof typeof kinds

export const faults: Readonly<Record<Fault, FaultKind>> = kinds

export const isFault = (name: string): name is Fault => Object.hasOwn(kinds, name)

/** Goes wrong. */
export async function answerWithFault(fault: Fault, response: ServerResponse, failing: Failing): Promise<void> {
  await faults[fault].answer(response, failing)
}
