/** Who else is looking at a server now. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { findPresentUsers, recordPresence } from '@/lib/portal/base/presence'
import type { Person } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'

export type PresentMember = { id: string; name: string }

/** The other members with an open stream or a recent read of it, by name. The question itself counts as a read. */
export async function findPresentMembers(actor: Person, serverId: string): Promise<Outcome<PresentMember[]>> {
  const visible = isOpaqueId(serverId) && (await db().server.count({ where: { id: serverId, ...(await serversVisibleTo(actor)) } })) > 0
  if (!visible) return { ok: false, problem: problem('not_found') }
  recordPresence(serverId, actor.user.id)
  const ids = findPresentUsers(serverId).filter((id) => id !== actor.user.id)
  if (ids.length === 0) return { ok: true, data: [] }
  const where = { id: { in: ids }, disabledAt: null, memberships: { some: { teamId: actor.team.id, ...lastingMemberships() } } }
  return { ok: true, data: await db().user.findMany({ where, select: { id: true, name: true }, orderBy: { name: 'asc' } }) }
}
