/** Who can do what with a server, a site, a connection or as a member, for the page Reach. docs/decisions/072-reach.md */
import 'server-only'
import { applyChange, type ReachChange } from '@/lib/portal/access/reach/change'
import { type ComparedRow, compareReach } from '@/lib/portal/access/reach/compare'
import { computeReach } from '@/lib/portal/access/reach/compute'
import { readReachTeam } from '@/lib/portal/access/reach/read'
import type { Person } from '@/lib/portal/identity/actor'
import { readLastUses } from './last-use'
import { describeReach, type ReachLine } from './lines'
import { type ReachSubject, withinOf } from './subject'

/**
 * By member, then by grant. With a change: as it would be after it, with what ends and begins marked; of a member, also what it does to
 * others. The caller has found the subject, and whether the change may be asked about, for this reader.
 */
export async function readReach(actor: Person, subject: ReachSubject, change: ReachChange | null): Promise<ReachLine[]> {
  const within = withinOf(subject)
  const labels = change?.kind === 'giveGrant' ? change.grant.scopes.flatMap((scope) => (scope.kind === 'label' ? [scope.name] : [])) : []
  const team = await readReachTeam(actor.team.id, within, labels)
  const now = Date.now()
  const memberId = subject.kind === 'member' ? subject.id : undefined
  const rows = change
    ? compareReach(computeReach(team, now), computeReach(applyChange(team, change), now))
    : computeReach(team, now, memberId).map((row): ComparedRow => ({ row, difference: 'same', idle: false }))
  const shown = rows.filter(({ row, difference }) => difference !== 'same' || memberId === undefined || row.userId === memberId)
  const shownRows = shown.map(({ row }) => row)
  const lastUse = await readLastUses(actor.team.id, team, within, shownRows)
  return describeReach(actor, { rows: shown, team, lastUse, now })
}
