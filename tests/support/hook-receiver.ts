/** A real HTTP receiver of webhooks on this machine, which can be down, refuse, redirect, or repeat what it gets. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type HookReceiver = AsyncDisposable & {
  origin: string
  received: Received[]
  /** The answer from now on. location: of a redirect. Text by default "ok". */
  answer: (status: number, text?: string | ((got: Received) => string), location?: string) => void
  /** Nothing listens until `up`. */
  down: () => Promise<void>
  up: () => Promise<void>
}

export async function startHookReceiver(): Promise<HookReceiver> {
  const received: Received[] = []
  let reply: { status: number; text: string | ((got: Received) => string); location?: string | undefined } = { status: 200, text: 'ok' }
  let port = 0
  let server: Server | null = null
  const up = async () => {
    const listening = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() }
        received.push(got)
        const { status, text, location } = reply
        response.writeHead(status, { 'content-type': 'text/plain', ...(location && { location }) })
        response.end(typeof text === 'string' ? text : text(got))
      })
    })
    await new Promise<void>((resolve) => {
      listening.listen(port, '127.0.0.1', resolve)
    })
    port = (listening.address() as AddressInfo).port
    server = listening
  }
  const down = async () => {
    const closing = server
    server = null
    closing?.closeAllConnections()
    await new Promise<void>((resolve) => {
      if (closing) closing.close(() => resolve())
      else resolve()
    })
  }
  await up()
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (status, text = 'ok', location) => {
      reply = { status, text, location }
    },
    up,
    down,
    [Symbol.asyncDispose]: down,
  }
}
