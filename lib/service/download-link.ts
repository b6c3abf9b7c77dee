/** Links to archives: stored without an origin, and completed by the one that the caller uses. */
import type { ProgressEvent } from '@/lib/contract/events'
import { isJsonObject } from '@/lib/contract/json'

/** A token and the name of a file follow. */
export const downloadPath = '/downloads/'

/** The origin that a request was sent to, also through a proxy that ends TLS. */
export function originOf(request: Request): string {
  const { origin, host } = new URL(request.url)
  return request.headers.get('x-forwarded-proto') === 'https' ? `https://${host}` : origin
}

/** An answer whose link, if it has one, names the origin. */
export function completeLink(answer: Record<string, unknown>, origin: string): Record<string, unknown> {
  const { download_url: link } = answer
  return typeof link === 'string' && link.startsWith(downloadPath) ? { ...answer, download_url: `${origin}${link}` } : answer
}

/** The same for the answer on the last event. */
export async function* completeLinks(events: AsyncIterable<ProgressEvent>, origin: string): AsyncGenerator<ProgressEvent> {
  for await (const event of events) yield isJsonObject(event.result) ? { ...event, result: completeLink(event.result, origin) } : event
}
