/** Names of what the filter of Activity is narrowed to, as far as the reader may see them. */
import 'server-only'
import { listListingConnections } from '@/lib/portal/access/connections'
import { findVisibleNames } from '@/lib/portal/access/visible'
import type { Person } from '@/lib/portal/identity/actor'
import { showBidiControls } from '@/lib/text/bidi'
import type { ActivityFilter } from './filter'

export type Named = { id: string; name: string }

/** object: the chosen server or site. connections: those to choose from, and the chosen one. */
export type Narrowed = { object: Named | null; connections: readonly Named[] }

export async function findNarrowed(actor: Person, { object, connection }: ActivityFilter): Promise<Narrowed> {
  const [name, usable] = await Promise.all([object === null ? null : nameOf(actor, object), listListingConnections(actor)])
  const connections = usable.map(({ id, label }) => ({ id, name: showBidiControls(label) }))
  const isListed = connection === null || connections.some(({ id }) => id === connection)
  return {
    object: object === null ? null : { id: object, name: name ?? 'Not in your list' },
    connections: isListed ? connections : [...connections, { id: connection, name: 'Another connection' }],
  }
}

async function nameOf(actor: Person, id: string): Promise<string | null> {
  const [servers, sites] = await Promise.all([findVisibleNames(actor, 'server', [id]), findVisibleNames(actor, 'site', [id])])
  const name = servers.get(id) ?? sites.get(id)
  return name === undefined ? null : showBidiControls(name)
}
