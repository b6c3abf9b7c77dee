/** How many sites a user sees, counted in the database, so that thousands of sites take a few rows. */
import 'server-only'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { namesMany } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findSight, sitesListedFor, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

/** How many sites of a server are in a state. */
export type SiteCount = { state: string; serverId: string | null; count: number }

/** key: names `matching` among what is cached. */
export function readSiteCounts(actor: Actor, key: string, matching: Prisma.SiteWhereInput): Promise<SiteCount[]> {
  return cachedForActor(actor, `fleet ${key}`, async () => {
    const { seen } = await rightOf(actor)
    if (seen.everything || !namesMany([seen])) {
      const where = { AND: [await sitesVisibleTo(actor), matching] }
      const rows = await db().site.groupBy({ by: ['state', 'serverId'], where, _count: true })
      return rows.map(({ state, serverId, _count: count }) => ({ state, serverId, count }))
    }
    // Grants over very many sites are checked here, not in the database.
    const where = { AND: [await sitesListedFor(actor), matching] }
    const [sees, rows] = await Promise.all([
      findSight(actor),
      db().site.findMany({ where, select: { id: true, state: true, serverId: true } }),
    ])
    return rows.flatMap(({ id, state, serverId }) => (sees({ kind: 'site', siteId: id, serverId }) ? [{ state, serverId, count: 1 }] : []))
  })
}
