/** Whose access a change is about, and whether the user may give as much. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { covers } from '@/lib/portal/access/grants/covers'
import type { Grant } from '@/lib/portal/access/grants/grant'
import { rightLasting } from '@/lib/portal/access/grants/read'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { findTarget } from '../change-member'

/** A member, or everyone with a role. */
export type Holder = { userId: string; role: Role; email: string } | { userId: null; role: Role; email: '' }

/** Null for whoever is no member any more. */
export async function findHolder(teamId: string, { userId, role }: { userId: string | null; role: Role | null }): Promise<Holder | null> {
  if (userId !== null) return findTarget(teamId, userId)
  return role && { userId, role, email: '' }
}

/** What every change to the access of this holder says to the audit log and needs of roles. */
export const changeOf = (actor: Person, { userId, role }: Holder) => {
  const object = userId === null ? ({ kind: 'team', id: actor.team.id } as const) : ({ kind: 'user', id: userId } as const)
  return { actor, touches: [role], checksAccess: true, object } as const
}

export const whose = ({ email, role }: Holder) => (email === '' ? { role } : { email })

const tooMuch = problem('forbidden', { sentence: 'You cannot give more access than you have, nor for longer. An owner can.' })

/** What is given, and until when; null for no end. */
type Given = Pick<Grant, 'scopes' | 'subjects' | 'effects' | 'root'> & { until: Date | null }

/** Nothing is given for longer than whoever gives it has it. Owners can give themselves everything, so they can give it to others. */
export async function refuseAbove(now: Person, asked: Given): Promise<Problem | null> {
  if (now.role === 'owner') return null
  const { subjects, effects, root, scopes } = asked
  const serverOf = await findServersOfSites(scopes.flatMap((scope) => (scope.kind === 'site' ? [scope.id] : [])))
  const grant: Omit<Grant, 'id'> = { userId: null, role: null, scopes, subjects, effects, operations: [], root, from: 0, until: null }
  return covers(await rightLasting(now, asked.until), grant, serverOf) ? null : tooMuch
}
