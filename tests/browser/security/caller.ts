/** Sends requests as no browser would, and stores every byte of the answers. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export type Sent = {
  method?: string
  headers?: Record<string, string>
  /** A user's session cookie, as `name=value`. */
  cookie?: string | undefined
  body?: Uint8Array | string
}

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

export type Caller = Disposable & {
  /** The portal's own origin, as its pages send it. */
  origin: string
  /** Sends one request with its path unchanged, and resolves with the complete answer. Follows no redirect. */
  call(path: string, sent?: Sent): Promise<Answer>
  /** Everything that was answered so far, decompressed, one character per byte. */
  recorded(): string
}

function unpack(encoding: string | undefined, body: Buffer): Buffer {
  if (body.length === 0) return body
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : body
}

async function readWhole(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return unpack(response.headers['content-encoding'], Buffer.concat(chunks))
}

/** For the portal on this port of this machine. */
export function createCaller(port: number): Caller {
  // The portal closes unused connections after 5 s. Closed here before that, none is used in the moment it closes.
  const agent = new Agent({ keepAlive: true, maxSockets: 8, timeout: 2_000 })
  const record: string[] = []
  const call = (path: string, { method = 'GET', headers = {}, cookie, body }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const all = { host: `localhost:${port}`, ...(cookie !== undefined && { cookie }), ...headers }
      const sending = request({ host: '127.0.0.1', port, agent, method, path, headers: all }, (response) => {
        readWhole(response).then((bytes) => {
          record.push(response.rawHeaders.join('\n'), bytes.toString('latin1'))
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString('utf8') })
        }, reject)
      })
      sending.once('error', reject)
      sending.end(body)
    })
  return { origin: `http://localhost:${port}`, call, recorded: () => record.join('\n'), [Symbol.dispose]: () => agent.destroy() }
}
