/** The scheduled copies of backups, and their proofs. Of several portals, the one that leads makes them. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { leadRounds } from '@/lib/portal/base/portals/rounds'
import { raiseLateCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import { planNights } from './plan-nights'
import { planProofs } from './plan-proofs'
import { pruneDue } from './prune-due'
import { startDueCopies } from './start-due'

const everyMs = 15_000
const lateEveryMs = 10 * 60_000
const pruneEveryMs = 60_000

export function copyNightly(): void {
  let lateAt = 0
  const work = async (lost: AbortSignal) => {
    const now = new Date()
    await planNights(now)
    await startDueCopies(now, lost)
    // The time of day may be wrong, and put right.
    if (performance.now() < lateAt) return
    lateAt = performance.now() + lateEveryMs
    await planProofs(now)
    await raiseLateCopies(now)
  }
  leadRounds({ everyMs, failure: 'scheduled copies could not be made', work })
  // Apart, because one takes up to hours.
  const prune = (lost: AbortSignal) => pruneDue(new Date(), lost)
  leadRounds({ everyMs: pruneEveryMs, failure: 'old copies could not be deleted', work: prune })
}
