/** Who can give access to somebody who lacks it. */
import 'server-only'
import { may, mayRun, roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'

/** Their names, sorted; empty if the role of the actor is what does not allow changes, so that no access would help. */
export async function listGranters(actor: Actor): Promise<string[]> {
  if (!mayRun(actor.role, 'change')) return []
  const self = actor.kind === 'user' ? actor.user.id : ''
  const able = roles.filter((each) => may(each, 'team', 'change'))
  const members = await db().membership.findMany({
    where: { teamId: actor.team.id, role: { in: able }, userId: { not: self }, user: { disabledAt: null }, ...lastingMemberships() },
    select: { user: { select: { name: true } } },
  })
  return members.map((member) => member.user.name).sort((one, other) => one.localeCompare(other, 'en'))
}
