/** The scheduled copies of backups. Of several portals, the one that leads makes them. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { log } from '@/lib/log'
import { asLeader } from '@/lib/portal/base/portals/join'
import { processState } from '@/lib/portal/base/process-state'
import { raiseLateCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import { planNights } from './plan-nights'
import { startDueCopies } from './start-due'

const everyMs = 15_000
const lateEveryMs = 10 * 60_000

const running = processState('night copies', (): { round: Promise<void> | null; lateAt: number } => ({ round: null, lateAt: 0 }))

/** Unless the round before still runs. A failure is logged and tried again. */
export function copyNightly(): void {
  setInterval(() => {
    const state = running()
    state.round ??= asLeader((lost) => runNightCopies(new Date(), lost))
      .catch((err: unknown) => log.error({ err }, 'scheduled copies could not be made'))
      .finally(() => {
        state.round = null
      })
  }, everyMs).unref()
}

async function runNightCopies(now: Date, lost: AbortSignal): Promise<void> {
  await planNights(now)
  await startDueCopies(now, lost)
  // The time of day may be wrong, and put right.
  if (performance.now() < running().lateAt) return
  running().lateAt = performance.now() + lateEveryMs
  await raiseLateCopies(now)
}
