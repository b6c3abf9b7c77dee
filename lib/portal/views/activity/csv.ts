/** Exports the audit log as CSV. */
import 'server-only'
import { may } from '@/lib/portal/access/roles'
import { type Person, recheckActor } from '@/lib/portal/identity/actor'
import { formatCsvLine } from '@/lib/text/csv'
import { type ActivityEntry, readActivity } from './activity'
import type { ActivityFilter } from './filter'
import { results } from './words'

const columns = ['time', 'who', 'what', 'target', 'outcome', 'reason', 'through', 'from', 'row'] as const

/** Runs per page, and the maximum number of pages; older entries need a filter by days. */
const pageRuns = 500
const maxPages = 100

/** The user lost the right to export while the file was read; what was sent so far is incomplete. */
export class ExportEnded extends Error {}

/**
 * Yields page by page, so that a long log never has to fit into memory. Times are UTC, ISO. Checks the user again before each page, as they
 * are now; throws ExportEnded once they may not export any more.
 */
export async function* renderActivity(actor: Person, filter: ActivityFilter, zone: string): AsyncGenerator<string> {
  yield formatCsvLine(columns)
  let before = filter.before
  for (let page = 0; page < maxPages; page += 1) {
    const now = await recheckActor(actor.sessionId)
    if (now?.user.id !== actor.user.id || now.team.id !== actor.team.id || !may(now.role, 'auditLog', 'export')) throw new ExportEnded()
    const { entries, older } = await readActivity(now, { ...filter, before }, zone, pageRuns)
    yield entries.map(renderLine).join('')
    if (older === null) return
    before = older
  }
}

function renderLine(entry: ActivityEntry): string {
  const { at, who, description, target, result, reason, through, peer, seq } = entry
  const cells = [at, who, description, target?.name, results[result], reason, through?.name, peer, String(seq)]
  return formatCsvLine(cells.map((cell) => cell ?? ''))
}
