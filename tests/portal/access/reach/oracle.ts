/** Who can do what, decided for every question by walking through members, grants, loans and connections, without the table. */
import type { Need, Place } from '@/lib/portal/access/grants/grant'
import { idOf, type ReachTeam } from '@/lib/portal/access/reach/team'
import { oracleAllows } from '../grants/oracle'
import { needs } from '../grants/random'
import { oracleLends } from '../loans/oracle'

const lenders = ['owner', 'admin', 'operator']

/** Whether a member can run an operation at a place, with any connection that lists it. */
export function oracleReaches(team: ReachTeam, userId: string, need: Need, place: Place, now: number): boolean {
  const isMember = (id: string) => team.members.find((each) => each.userId === id && (each.endsAt === null || each.endsAt > now))
  const member = isMember(userId)
  if (!member) return false
  const given = { grantee: { userId, role: member.role }, grants: team.grants, labels: team.labels, now }
  if (!oracleAllows(given, need, place)) return false
  const loans = team.loans.filter(({ ownerId }) => lenders.includes(isMember(ownerId)?.role ?? ''))
  const listing = place.kind === 'everywhere' ? null : team.places.find((each) => idOf(each.place) === idOf(place))?.keyIds
  return team.keys.some((key) => {
    if (!key.acts) return false
    if (place.kind === 'everywhere') return key.ownerId === null || key.ownerId === userId
    return (listing ?? []).includes(key.id) && oracleLends(given, loans, key, place, need, needs)
  })
}
