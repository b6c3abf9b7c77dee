/** Request bodies: received completely before any handler sees the request, within the limits of body-limits.ts. */
import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findPollingActor } from '@/lib/portal/identity/actor'
import { findMaxBytes, usualBytes } from './body-limits'

/**
 * Resolves with null once the body has arrived, unread, or with the limit in bytes that it exceeds. An announced length is compared with
 * the limit immediately, and such a body is not read. Never resolves when the sender disconnects first: Next would log an interrupted
 * body as an error.
 */
export async function awaitBody(request: IncomingMessage, response: ServerResponse, path: string): Promise<number | null> {
  const announced = Number(request.headers['content-length'] ?? 0)
  const longest = findMaxBytes(path)
  if (announced > longest) return longest
  // Before the first await, because bytes that came with the headers are delivered right after this call.
  const arrived = collect(request, Math.max(announced, usualBytes))
  if (announced > usualBytes && !(await isSignedIn(request))) return usualBytes
  // The client waits for permission to send.
  if (request.headers.expect !== undefined) response.writeContinue()
  return arrived
}

async function isSignedIn({ headers: { cookie = '' } }: IncomingMessage): Promise<boolean> {
  return (await findPollingActor(new Request('http://localhost', { headers: { cookie } }))) !== null
}

/** Lets the body gather in the request's own buffer. A listener for `data` would take it from the later reader. */
function collect(request: IncomingMessage, maxBytes: number): Promise<number | null> {
  return new Promise((resolve) => {
    let bytes = 0
    const push = request.push.bind(request)
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      bytes += chunk?.length ?? 0
      if (bytes > maxBytes) {
        resolve(maxBytes)
        // Stops Node from reading more from the socket.
        return false
      }
      push(chunk, encoding)
      if (chunk === null) resolve(null)
      return true
    }
  })
}
