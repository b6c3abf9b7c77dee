/** Receives request bodies completely before any handler sees the request, within the limits of body-limits.ts. */
import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findMaxBytes, usualBytes } from './body-limits'
import { isSignedIn } from './signed-in'

/**
 * Resolves with null once the body has arrived, still unread, or with the limit in bytes that it exceeds. Compares an announced length
 * immediately and does not receive such a body. Never resolves if the client disconnects first: Next would log an interrupted body as an
 * error.
 */
export async function awaitBody(request: IncomingMessage, response: ServerResponse, path: string): Promise<number | null> {
  const announced = Number(request.headers['content-length'] ?? 0)
  const longest = findMaxBytes(path)
  if (announced > longest) return longest
  // Before the first await, because bytes that came with the headers are delivered right after this call.
  const arrived = collect(request, Math.max(announced, usualBytes))
  if (announced > usualBytes && !(await isSignedIn(request))) return usualBytes
  // The client waits for 100 Continue.
  if (request.headers.expect !== undefined) response.writeContinue()
  return arrived
}

/** Buffers the body inside the request. A `data` listener would consume it before the handler can read it. */
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
