/** The members of a team, for the page Team. */
import 'server-only'
import { may, mayManage, roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { hasEnded } from '@/lib/portal/identity/membership'

export type Factor = 'app' | 'passkey'

export type MemberView = {
  /** The user's id. */
  id: string
  name: string
  email: string
  role: Role
  /** Whether it is the reader. */
  you: boolean
  /** What is set up; null unless the reader may change members. */
  factors: readonly Factor[] | null
  /** ISO; null if no session is known. */
  lastSeenAt: string | null
  /** ISO; null: no end. */
  endsAt: string | null
  /** disabled: may not sign in. ended: the membership has ended. */
  state: 'active' | 'disabled' | 'ended'
  /** Whether the reader may change this member. */
  changeable: boolean
  /** The only owner who can sign in and whose membership has no end: has to stay one. */
  lastOwner: boolean
}

/** The most powerful first, then by name; for a guest, only themselves. Includes disabled members and those whose membership has ended. */
export async function listMembers(actor: Person): Promise<MemberView[]> {
  const teamId = actor.team.id
  const [memberships, seen] = await Promise.all([
    db().membership.findMany({
      where: { teamId, ...(may(actor.role, 'team', 'read') ? {} : { userId: actor.user.id }) },
      select: {
        role: true,
        endsAt: true,
        user: {
          select: {
            id: true,
            name: true,
            email: true,
            disabledAt: true,
            totp: { select: { confirmedAt: true } },
            _count: { select: { passkeys: true } },
          },
        },
      },
    }),
    db().session.groupBy({ by: ['userId'], where: { teamId }, _max: { seenAt: true } }),
  ])
  const seenAt = new Map(seen.map(({ userId, _max }) => [userId, _max.seenAt]))
  const members = memberships.map(({ role, endsAt, user: { id, name, email, disabledAt, totp, _count } }): MemberView => {
    const state = disabledAt ? 'disabled' : hasEnded({ endsAt }) ? 'ended' : 'active'
    const factors = may(actor.role, 'team', 'change') ? factorsOf(totp?.confirmedAt ?? null, _count.passkeys) : null
    const times = { lastSeenAt: seenAt.get(id)?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null }
    const lasting = role === 'owner' && state === 'active' && endsAt === null
    const rights = { changeable: mayManage(actor.role, role), lastOwner: lasting }
    return { id, name, email, role, you: id === actor.user.id, factors, ...times, state, ...rights }
  })
  const owners = members.filter(({ lastOwner }) => lastOwner)
  if (owners.length > 1) for (const owner of owners) owner.lastOwner = false
  return members.sort((a, b) => roles.indexOf(b.role) - roles.indexOf(a.role) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
}

const factorsOf = (confirmedAt: Date | null, passkeys: number): Factor[] => [
  ...(confirmedAt ? (['app'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
]
