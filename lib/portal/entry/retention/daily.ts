/** Automatic pruning, once a day while the portal runs. */
import 'server-only'
import { log } from '@/lib/log'
import { asLeader } from '@/lib/portal/base/portals/join'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { pruneSubmissions } from '@/lib/portal/spine/submissions'
import { pruneKeptForJobs } from './kept-for-jobs'
import { pruneNotifications } from './notifications'
import { prune } from './prune'
import { pruneSignIns } from './sign-ins'
import { thinSamples } from './thin'

const hour = 60 * 60_000
const day = 24 * hour
// Keeps the start free for more urgent work.
const firstMs = 10 * 60_000

/** Prunes ten minutes after the start and then daily. A failure is logged and retried the next day. Of several portals the one that leads does. */
export function pruneDaily(): void {
  const run = async () => {
    try {
      const pruned = await prune({ kind: 'gatehouse' })
      const others = {
        samples: await thinSamples(),
        notifications: await pruneNotifications(),
        signIns: await pruneSignIns(),
        keptForJobs: await pruneKeptForJobs(),
      }
      if (sharedDatabase()) await pruneSubmissions()
      log.info({ ...pruned, ...others }, 'expired data was deleted')
    } catch (error) {
      log.error({ err: error }, 'expired data could not be deleted')
    }
  }
  // Whether a portal leads may change between two days, so each asks every hour.
  let due = 0
  const runIfDue = async () => {
    if (Date.now() < due) return
    due = Date.now() + day
    await run()
  }
  setTimeout(() => {
    void asLeader(runIfDue)
    setInterval(() => void asLeader(runIfDue), hour).unref()
  }, firstMs).unref()
}
