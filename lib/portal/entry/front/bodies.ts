/** Bodies of requests: whole before anybody sees the request, and held to the limits of body-limits.ts. */
import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findPollingActor } from '@/lib/portal/identity/actor'
import { findMaxBytes, usualBytes } from './body-limits'

/**
 * Resolves with null once the body has arrived, unread, or with the limit in bytes that it breaks. An announced length is
 * held against the limit at once and the body then not read. Never resolves when the sender goes away first: Next would
 * log a body that breaks off as an error.
 */
export async function awaitBody(request: IncomingMessage, response: ServerResponse, path: string): Promise<number | null> {
  const announced = Number(request.headers['content-length'] ?? 0)
  const longest = findMaxBytes(path)
  if (announced > longest) return longest
  // Before the first await: what came with the headers is handed over right after this call.
  const arrived = collect(request, Math.max(announced, usualBytes))
  if (announced > usualBytes && !(await isSignedIn(request))) return usualBytes
  // Somebody waits for leave to send.
  if (request.headers.expect !== undefined) response.writeContinue()
  return arrived
}

async function isSignedIn({ headers: { cookie = '' } }: IncomingMessage): Promise<boolean> {
  return (await findPollingActor(new Request('http://localhost', { headers: { cookie } }))) !== null
}

/** Lets the body gather in the request's own buffer. A listener for `data` would take it from whoever reads it later. */
function collect(request: IncomingMessage, maxBytes: number): Promise<number | null> {
  return new Promise((resolve) => {
    let bytes = 0
    const push = request.push.bind(request)
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      bytes += chunk?.length ?? 0
      if (bytes > maxBytes) {
        resolve(maxBytes)
        // Node reads nothing more from the socket.
        return false
      }
      push(chunk, encoding)
      if (chunk === null) resolve(null)
      return true
    }
  })
}
