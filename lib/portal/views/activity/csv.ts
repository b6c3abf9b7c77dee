/** Exports the audit log as CSV. */
import 'server-only'
import type { Person } from '@/lib/portal/identity/actor'
import { formatCsvLine } from '@/lib/text/csv'
import { type ActivityEntry, readActivity } from './activity'
import type { ActivityFilter } from './filter'
import { results } from './words'

const columns = ['time', 'who', 'what', 'target', 'outcome', 'reason', 'through', 'from', 'row'] as const

/** Runs per page, and the maximum number of pages; older entries need a filter by days. */
const pageRuns = 500
const maxPages = 100

/** Yields line by line, so that a long log never has to fit into memory. Times are UTC, ISO. */
export async function* renderActivity(actor: Person, filter: ActivityFilter, zone: string): AsyncGenerator<string> {
  yield formatCsvLine(columns)
  let before = filter.before
  for (let page = 0; page < maxPages; page += 1) {
    const { entries, older } = await readActivity(actor, { ...filter, before }, zone, pageRuns)
    yield entries.map(renderLine).join('')
    if (older === null) return
    before = older
  }
}

function renderLine(entry: ActivityEntry): string {
  const { at, who, description, target, result, reason, through, peer, seq } = entry
  const cells = [at, who, description, target?.name, results[result], reason, through, peer, String(seq)]
  return formatCsvLine(cells.map((cell) => cell ?? ''))
}
