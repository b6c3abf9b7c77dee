/** Where a job acts. */
import 'server-only'
import type { Place } from '@/lib/portal/access/grants/grant'
import type { Job, Site } from '@/prisma/generated/portal/client'

/** A creation has no site until that is listed, and acts on its server. */
export function placeOf({ serverId, siteId, site }: Job & { site: Site | null }): Place {
  if (siteId !== null) return { kind: 'site', siteId, serverId: site?.serverId ?? serverId }
  return serverId === null ? { kind: 'everywhere' } : { kind: 'server', serverId }
}
