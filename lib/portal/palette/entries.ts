/** What the command palette can find beside pages and actions: the servers a person may see, from the rows. */
import 'server-only'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { visibleTo } from '../servers/row'

/** installable: not installed yet, or the last try failed. */
export type PaletteServer = { id: string; name: string; hostname: string; sandbox: boolean; installable: boolean }

/** By name. No service is asked: the palette has to be there at once, also for 10,000. */
export async function listPaletteServers(actor: Actor): Promise<PaletteServer[]> {
  const servers = await db().server.findMany({
    where: visibleTo(actor),
    select: { id: true, name: true, hostname: true, provider: true, state: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return servers.map(({ id, name, hostname, provider, state }) => ({
    id,
    name,
    hostname,
    sandbox: provider === 'sandbox',
    installable: state === 'new' || state === 'failed',
  }))
}
