/** The headers of an answer, each read in one way however often a service sends it. */
import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'

/** Names in lower case; a header that came several times is one text, its values joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = ReadonlyMap<string, string>

/** undici gives a list for a repeated header, whichever it is. */
export function readHeaders(headers: IncomingHttpHeaders): AnswerHeaders {
  return new Map(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** Whether the body comes as it is. A list is plain only where each member is; an empty member counts for nothing. */
export function isPlain(headers: AnswerHeaders): boolean {
  const codings = (headers.get('content-encoding') ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  return codings.every((coding) => coding === '' || coding === 'identity')
}

/** The media type alone, in lower case; parameters, a second type and anything odd are left out. */
export function mediaType(headers: AnswerHeaders): string {
  return /^\s*([\w.+-]{1,64}\/[\w.+-]{1,64})/.exec(headers.get('content-type') ?? '')?.[1]?.toLowerCase() ?? ''
}
