/** A change to a team that is not saved yet, and the team as it would be after it. Pure. */
import 'server-only'
import type { Role } from '@/lib/portal/identity/actor'
import type { Grant } from '../grants/grant'
import { mayKeep } from '../roles'
import type { ReachTeam } from './team'

export type ReachChange =
  | { kind: 'removeMember'; userId: string }
  | { kind: 'changeRole'; userId: string; role: Role }
  /** endsAt: ms since 1970; null: no end. */
  | { kind: 'setEnd'; userId: string; endsAt: number | null }
  | { kind: 'endGrant'; grantId: string }
  | { kind: 'giveGrant'; grant: Grant }

/** What else the change brings about is included: whoever is removed, or may not have connections any more, has theirs frozen. */
export function applyChange(team: ReachTeam, change: ReachChange): ReachTeam {
  if (change.kind === 'endGrant') return { ...team, grants: team.grants.filter(({ id }) => id !== change.grantId) }
  if (change.kind === 'giveGrant') return { ...team, grants: [...team.grants, change.grant] }
  const { userId } = change
  if (change.kind === 'removeMember') {
    const left = { ...team, members: team.members.filter((member) => member.userId !== userId) }
    return withFrozen(withoutGiven(left, userId), userId)
  }
  const changed = change.kind === 'setEnd' ? { endsAt: change.endsAt } : { role: change.role }
  const members = team.members.map((member) => (member.userId === userId ? { ...member, ...changed } : member))
  if (change.kind === 'setEnd') return { ...team, members }
  const limited = { ...team, members }
  const given = change.role === 'guest' ? withoutGiven(limited, userId) : limited
  return mayKeep(change.role, 'own') ? given : withFrozen(given, userId)
}

/** Without the grants to a member and what is lent to them. */
function withoutGiven(team: ReachTeam, userId: string): ReachTeam {
  const isOthers = (given: { userId: string | null }) => given.userId !== userId
  return { ...team, grants: team.grants.filter(isOthers), loans: team.loans.filter(isOthers) }
}

const withFrozen = (team: ReachTeam, ownerId: string): ReachTeam => ({
  ...team,
  keys: team.keys.map((key) => (key.ownerId === ownerId ? { ...key, acts: false } : key)),
})
