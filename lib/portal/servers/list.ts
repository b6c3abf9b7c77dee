/** The servers a person may see: the union over their usable connections. */
import 'server-only'
import type { Actor } from '../identity/actor'
import type { ConnectionRow, ServerRow } from './row'

export type { ConnectionRow, ServerRow } from './row'

export async function listServers(_actor: Actor): Promise<{ servers: ServerRow[]; connections: ConnectionRow[] }> {
  return { servers: [], connections: [] }
}
