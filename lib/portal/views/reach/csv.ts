/** A table of reach as CSV: a line for each server and site of each row, so that a spreadsheet can be filtered by it. */
import 'server-only'
import { roleNames } from '@/lib/portal/access/roles'
import { formatCsvLine } from '@/lib/text/csv'
import { type ReachLine, type ReachPlace, unusedDays } from './lines'

const columns = [
  'who',
  'role',
  'kind',
  'name',
  'can',
  'access',
  'connection',
  'since',
  'until',
  'last used',
  `unused for ${unusedDays} days`,
]

const changeColumn = 'after the change'

/** Yields row by row. Times are UTC, ISO. compared: whether the lines tell of a change. */
export function* renderReach(lines: readonly ReachLine[], compared: boolean): Generator<string> {
  yield formatCsvLine(compared ? [...columns, changeColumn] : columns)
  for (const line of lines)
    yield placesOf(line)
      .map((place) => renderLine(line, place, compared))
      .join('')
}

type Part = { kind: ReachPlace['kind'] | ''; name: string }

/** A line for each place. A right to add servers names none. */
function placesOf({ places, hidden, everything }: ReachLine): Part[] {
  const parts: Part[] = [...places]
  if (hidden > 0) parts.push({ kind: '', name: `${hidden} that you cannot see` })
  return parts.length > 0 ? parts : [{ kind: '', name: everything ? 'all servers and sites' : '' }]
}

function renderLine(line: ReachLine, { kind, name }: Part, compared: boolean): string {
  const { who, role, what, access, connection, from, until, lastUsedAt, recorded, unused } = line
  const used = lastUsedAt ?? (recorded ? '' : 'not recorded')
  const cells = [
    who,
    roleNames[role],
    kind,
    name,
    what,
    access,
    connection,
    from,
    until ?? '',
    used,
    recorded ? (unused ? 'yes' : 'no') : '',
  ]
  return formatCsvLine(compared ? [...cells, line.difference] : cells)
}
