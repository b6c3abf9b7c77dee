/** Tells browsers to come by https alone, with every answer of this process. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'

/** What this needs of Node's ServerResponse. */
type Answer = { setHeader(name: string, value: string): unknown }

/** From now on, for a year from each answer. Only for a portal that is reached by https: over http it would lock people out. */
export function demandHttps(): void {
  subscribe('http.server.request.start', (message) => {
    const { response } = message as { response: Answer }
    response.setHeader('strict-transport-security', 'max-age=31536000')
  })
}
