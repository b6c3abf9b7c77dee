/** Whether an archive may still be fetched through the connection that prepared it. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Problem } from '@/lib/contract/problem'
import { findWithheld } from '@/lib/portal/access/loans/withheld'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import type { Prepared } from './prepared'

/** Why not: the connection is frozen, was removed, or is not lent to this member any more. Null if it may. */
export async function findWithheldFor(actor: Person, { siteId }: Prepared, connection: Connection): Promise<Problem | null> {
  const place = { kind: 'site', siteId, serverId: (await findServersOfSites([siteId])).get(siteId) ?? null } as const
  return findWithheld(connection, { teamId: actor.team.id, startedById: actor.user.id, operation: contract.sites.download.id, place })
}
