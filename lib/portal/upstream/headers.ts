/** Reads the headers of an answer the same way however often the service repeats one. */
import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'

/** Names in lower case; a repeated header's values are joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = ReadonlyMap<string, string>

/** undici returns a list for a repeated header. */
export function readHeaders(headers: IncomingHttpHeaders): AnswerHeaders {
  return new Map(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
}

/** Whether the body is uncompressed. A list counts as uncompressed only if each member does; empty members are ignored. */
export function isPlain(headers: AnswerHeaders): boolean {
  const codings = (headers.get('content-encoding') ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  return codings.every((coding) => coding === '' || coding === 'identity')
}

/** The media type alone, in lower case; parameters, a second type and anything malformed are dropped. */
export function mediaType(headers: AnswerHeaders): string {
  return /^\s*([\w.+-]{1,64}\/[\w.+-]{1,64})/.exec(headers.get('content-type') ?? '')?.[1]?.toLowerCase() ?? ''
}
