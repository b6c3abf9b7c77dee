/** Who can do what with a server, a site, a connection or as a member, for the page Reach. docs/decisions/072-reach.md */
import 'server-only'
import { applyChange, type ReachChange } from '@/lib/portal/access/reach/change'
import { type ComparedRow, compareReach } from '@/lib/portal/access/reach/compare'
import { computeReach, type ReachRow } from '@/lib/portal/access/reach/compute'
import { readReachTeam, type Within } from '@/lib/portal/access/reach/read'
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
    ? compareReach(here(computeReach(team, now), within), here(computeReach(applyChange(team, change), now), within))
    : here(computeReach(team, now, memberId), within).map((row): ComparedRow => ({ row, difference: 'same', idle: false }))
  const shown = rows.filter(({ row, difference }) => difference !== 'same' || memberId === undefined || row.userId === memberId)
  const shownRows = shown.map(({ row }) => row)
  const lastUse = await readLastUses(actor.team.id, team, within, shownRows)
  return describeReach(actor, { rows: shown, team, lastUse, now })
}

/** Of a server or site: what reaches it, through the connections that list it. Of others also what adds servers to a service. */
function here(rows: readonly ReachRow[], within: Within): readonly ReachRow[] {
  if (within === null || 'connectionId' in within) return rows
  return rows.flatMap((row) => {
    const listing = new Set([...row.places.values()].flatMap(({ keyIds }) => keyIds))
    return row.places.size === 0 ? [] : [{ ...row, keyIds: row.keyIds.filter((id) => listing.has(id)) }]
  })
}
