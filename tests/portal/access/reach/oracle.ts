/** Who can do what, decided for every question by walking through members, grants, loans and connections, without the table. */
import type { Need, Place } from '@/lib/portal/access/grants/grant'
import type { ReachChange } from '@/lib/portal/access/reach/change'
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

/** The team once a change is saved, row by row as the database would be. */
export function oracleChanged(team: ReachTeam, change: ReachChange): ReachTeam {
  const after = structuredClone(team) as { -readonly [Name in keyof ReachTeam]: ReachTeam[Name][number][] }
  if (change.kind === 'giveGrant') after.grants.push(change.grant)
  if (change.kind === 'endGrant') after.grants = after.grants.filter((grant) => grant.id !== change.grantId)
  if (change.kind === 'giveGrant' || change.kind === 'endGrant') return after
  const { userId } = change
  const leaves = change.kind === 'removeMember'
  const becomes = change.kind === 'changeRole' ? change.role : null
  if (leaves || becomes === 'guest') {
    after.grants = after.grants.filter((grant) => grant.userId !== userId)
    after.loans = after.loans.filter((loan) => loan.userId !== userId)
  }
  if (leaves || (becomes !== null && !lenders.includes(becomes)))
    after.keys = after.keys.map((key) => (key.ownerId === userId ? { ...key, acts: false } : key))
  after.members = after.members.flatMap((member) => {
    if (member.userId !== userId) return [member]
    if (change.kind === 'setEnd') return [{ ...member, endsAt: change.endsAt }]
    return becomes === null ? [] : [{ ...member, role: becomes }]
  })
  return after
}
