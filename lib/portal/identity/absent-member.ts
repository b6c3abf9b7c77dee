/** A member who is not there. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Person } from './actor'
import { lastingMemberships } from './membership'
import { preferencesOf } from './preferences'

/**
 * The member as filters of answers see them, to send them only what they may see. Null if the account is disabled or the membership ended.
 * Every action asks for a valid session, and here is none, so nothing can be done in their name, except what they scheduled: the spine runs that
 * without one.
 */
export async function findAbsentMember(teamId: string, userId: string): Promise<Person | null> {
  const row = await db().membership.findFirst({
    where: { teamId, userId, user: { disabledAt: null }, ...lastingMemberships() },
    include: { user: true, team: { select: { id: true, name: true } } },
  })
  if (!row) return null
  const { id, name, email } = row.user
  const session = { sessionId: '', stepUpAt: new Date(0) }
  return { kind: 'user', user: { id, name, email }, team: row.team, role: row.role, preferences: preferencesOf(row.user), ...session }
}
