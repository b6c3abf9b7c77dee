/** Automatic pruning, once a day while the portal runs. */
import 'server-only'
import { log } from '@/lib/log'
import { asLeader } from '@/lib/portal/base/portals/join'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { pruneSubmissions } from '@/lib/portal/spine/submissions'
import { pruneNotifications } from './notifications'
import { prune } from './prune'
import { pruneSignIns } from './sign-ins'
import { thinSamples } from './thin'

const day = 24 * 60 * 60_000
// Keeps the start free for more urgent work.
const firstMs = 10 * 60_000

/** Prunes ten minutes after the start and then daily. A failure is logged and retried the next day. */
export function pruneDaily(): void {
  const run = async () => {
    try {
      const pruned = await prune({ kind: 'gatehouse' })
      const others = { samples: await thinSamples(), notifications: await pruneNotifications(), signIns: await pruneSignIns() }
      if (sharedDatabase()) await pruneSubmissions()
      log.info({ ...pruned, ...others }, 'expired data was deleted')
    } catch (error) {
      log.error({ err: error }, 'expired data could not be deleted')
    }
  }
  setTimeout(() => {
    void asLeader(run)
    setInterval(() => void asLeader(run), day).unref()
  }, firstMs).unref()
}
