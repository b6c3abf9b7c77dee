/** Stands between the browser and the portal and keeps every byte that goes to the browser, streams included. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordingProxy = AsyncDisposable & {
  port: number
  /** Everything sent to the browser so far: status lines' headers and bodies, as latin1 text. */
  recorded(): string
  /** Where requests go; may be changed while it runs. */
  forwardTo(port: number): void
}

/** Asks for no compression on the browser's behalf, so that what is kept is what was said. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const chunks: string[] = []
  let target = 0
  const server = createServer((incoming, outgoing) => {
    const { 'accept-encoding': _, ...headers } = incoming.headers
    const forwarded = request({ port: target, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers }, (answer) => {
      chunks.push(answer.rawHeaders.join('\n'))
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk.toString('latin1'))
        outgoing.write(chunk)
      })
      answer.on('end', () => outgoing.end())
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    recorded: () => chunks.join(''),
    forwardTo: (port) => {
      target = port
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
