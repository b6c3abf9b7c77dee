/** What a change makes of the table of who can do what. Pure. */
import 'server-only'
import type { ReachRow } from './compute'

/** lost: it ends with the change. gained: it begins with it. A row that becomes another one is both. */
export type Difference = 'same' | 'lost' | 'gained'

/** idle: what is lost, other rows still give; what is gained, other rows gave before. */
export type ComparedRow = { row: ReachRow; difference: Difference; idle: boolean }

/** In the order of `before`; what replaces a row comes after it, what is new at the end. */
export function compareReach(before: readonly ReachRow[], after: readonly ReachRow[]): ComparedRow[] {
  const [were, are] = [indexByMember(before), indexByMember(after)]
  const later = new Map(after.map((row) => [keyOf(row), row]))
  const earlier = new Set(before.map(keyOf))
  const replaced = before.flatMap((row): ComparedRow[] => {
    const now = later.get(keyOf(row))
    if (now && isSame(row, now)) return [{ row, difference: 'same', idle: false }]
    const lost = { row, difference: 'lost', idle: isCovered(row, are.get(row.userId) ?? []) } as const
    return now ? [lost, toGained(now, were)] : [lost]
  })
  return [...replaced, ...after.filter((row) => !earlier.has(keyOf(row))).map((row) => toGained(row, were))]
}

type ByMember = ReadonlyMap<string, readonly ReachRow[]>

const toGained = (row: ReachRow, were: ByMember): ComparedRow => ({
  row,
  difference: 'gained',
  idle: isCovered(row, were.get(row.userId) ?? []),
})

function indexByMember(rows: readonly ReachRow[]): ByMember {
  const index = new Map<string, ReachRow[]>()
  for (const row of rows) index.set(row.userId, [...(index.get(row.userId) ?? []), row])
  return index
}

const keyOf = ({ userId, grantId, loanId }: ReachRow): string => `${userId} ${grantId} ${loanId}`

function isSame(one: ReachRow, other: ReachRow): boolean {
  const same = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every((each) => b.has(each))
  const samePlaces = one.places === other.places || same(new Set(one.places.keys()), new Set(other.places.keys()))
  return (
    one.until === other.until &&
    one.everything === other.everything &&
    same(new Set(one.keyIds), new Set(other.keyIds)) &&
    samePlaces &&
    (['server', 'site', 'everywhere'] as const).every((kind) => same(one.operations[kind], other.operations[kind]))
  )
}

/** Whether other rows of the same member give all that a row gives, and for no less long. */
function isCovered(row: ReachRow, others: readonly ReachRow[]): boolean {
  const lasting = others.filter(({ until }) => until === null || (row.until !== null && row.until <= until))
  const covers = (rows: readonly ReachRow[], kind: 'server' | 'site' | 'everywhere') =>
    [...row.operations[kind]].every((id) => rows.some(({ operations }) => operations[kind].has(id)))
  if (!covers(lasting, 'everywhere')) return false
  // Places that the same rows reach have the same answer.
  const known = new Map<string, boolean>()
  for (const [id, { place }] of row.places) {
    const reaching = lasting.filter(({ places }) => places.has(id))
    const key = `${place.kind} ${reaching.map((each) => lasting.indexOf(each)).join(' ')}`
    const covered = known.get(key) ?? covers(reaching, place.kind)
    if (!covered) return false
    known.set(key, covered)
  }
  return true
}
