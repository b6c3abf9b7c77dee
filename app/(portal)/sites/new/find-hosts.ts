import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSiteHosts, type SiteHost } from '@/lib/portal/subjects/sites/hosts'

// The page waits for this.
const patienceMs = 3_000

/**
 * The servers to choose from. If the wanted one is missing, or if there are none, they are listed again first: the install may have ended a
 * moment ago.
 */
export async function findSiteHosts(actor: Actor, wanted: string): Promise<SiteHost[]> {
  const known = await listSiteHosts(actor)
  if (known.some(({ id }) => wanted === '' || id === wanted)) return known
  await Promise.race([listServers(actor), pause(patienceMs, undefined, { ref: false })])
  return listSiteHosts(actor)
}
