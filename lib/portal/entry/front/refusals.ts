/** Refuses requests by their first line and headers alone, with a sentence, before the rest is read or logged. */
import 'server-only'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { problemKinds } from '@/lib/contract/problem'

export type Refusal = { status: 400 | 405 | 413 | 421 | 429; sentence: string; headers?: OutgoingHttpHeaders }

const methods = ['GET', 'HEAD', 'POST']

/** Node joins or drops duplicates of these, so the portal and a proxy could read two different requests. */
const singleHeaders = new Set(['host', 'origin'])

/** Why no browser would send such a request, or null. */
export function findRefusal({ method = '', url = '', rawHeaders }: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>): Refusal | null {
  if (!methods.includes(method)) {
    const allowed = methods.join(', ')
    return { status: 405, sentence: `Gatehouse accepts ${allowed} only.`, headers: { Allow: allowed } }
  }
  if (!isPlainAddress(url)) return { status: 400, sentence: 'This address is malformed.' }
  const twice = findTwice(rawHeaders)
  return twice === null ? null : { status: 400, sentence: `The request has two ${twice} headers.` }
}

/** The page that sent it shows the sentence. */
export const hostRewritten: Refusal = { status: 421, sentence: problemKinds.host_rewritten.sentence }

export const tooLong = (maxBytes: number): Refusal => ({
  status: 413,
  sentence: `The request is larger than ${maxBytes / 1024} KB. Nothing was done.`,
})

/** Whether it is a path of this server that decodes to text. For other paths Next shows its own error page, or takes `//` for a host. */
function isPlainAddress(url: string): boolean {
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\\')) return false
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

function findTwice(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!singleHeaders.has(name)) continue
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}

/** A client that is still sending gets this long to read the response; closing immediately would discard it. */
const lingerMs = 500

/** Answers and closes the connection without reading the body. Next's client scripts show plain text as the error. */
export function refuse(response: ServerResponse, { status, sentence, headers }: Refusal): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/plain',
    'Content-Length': Buffer.byteLength(sentence),
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  if (!hasBody(response.req)) {
    response.end(sentence)
    return
  }
  response.write(sentence)
  const timer = setTimeout(() => response.end(), lingerMs)
  response.once('close', () => clearTimeout(timer))
}

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
