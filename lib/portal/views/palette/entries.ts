/** The command palette's servers: those a user may see, read from the database. */
import 'server-only'
import { findSimulating, isSimulated, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { nextTurn } from '@/lib/portal/base/turns'
import type { Actor } from '@/lib/portal/identity/actor'
import { visibleTo } from '@/lib/portal/subjects/servers/row'

/** installable: not installed yet, or the last attempt failed. extensions: its service announces them. */
export type PaletteServer = { id: string; name: string; hostname: string; sandbox: boolean; installable: boolean; extensions: boolean }

export type Palette = { servers: PaletteServer[]; offersSandbox: boolean }

const readAtOnce = 500

export async function readPalette(actor: Actor): Promise<Palette> {
  const [servers, connections] = await Promise.all([listServers(actor), listUsableConnections(actor)])
  return { servers, offersSandbox: findSimulating(connections) !== undefined }
}

/**
 * By name. Calls no service, because the palette has to appear immediately, even with 10,000 servers. Reads in slices, because
 * database reads are synchronous.
 */
async function listServers(actor: Actor): Promise<PaletteServer[]> {
  const connections = await listUsableConnections(actor)
  const services = new Map(connections.map((connection) => [upstreamOf(connection), connection]))
  const servers: PaletteServer[] = []
  let [last, more] = ['', true]
  while (more) {
    const page = await readAfter(actor, last)
    for (const { id, name, hostname, origin, state, ...server } of page) {
      const service = services.get(origin)
      const sandbox = service !== undefined && isSimulated(server, service)
      const extensions = service?.extensions ?? false
      servers.push({ id, name, hostname, sandbox, installable: state === 'new' || state === 'failed', extensions })
    }
    last = page.at(-1)?.id ?? ''
    more = page.length === readAtOnce
    if (more) await nextTurn()
  }
  return servers.sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
}

const readAfter = (actor: Actor, last: string) =>
  db().server.findMany({
    where: { ...visibleTo(actor), id: { gt: last } },
    select: { id: true, name: true, hostname: true, origin: true, provider: true, state: true },
    orderBy: { id: 'asc' },
    take: readAtOnce,
  })

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
