/** Takes over what portals that have ended or fallen silent were doing, while this one runs. On SQLite there are none. */
import 'server-only'
import { log } from '@/lib/log'
import { onHint } from '@/lib/portal/base/portals/hints'
import { asLeader, beatOnce } from '@/lib/portal/base/portals/join'
import { beatMs, deadAfterMs } from '@/lib/portal/base/portals/members'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { resumeBatches } from '@/lib/portal/batches/runner'
import { followLateEnds } from '@/lib/portal/jobs/relay/late-ends'
import { forgetLost, takeJobsOver } from '@/lib/portal/jobs/relay/resume'

// An end is normally recorded within moments.
const lateEndsMs = 60_000

/** Every 5 s, and at once when a portal says that it ends. */
export function takeOverRegularly(): void {
  if (!sharedDatabase()) return
  const round = createRound()
  onHint('left', () => void round())
  setInterval(() => void round(), beatMs).unref()
  const follow = () => asLeader(() => followLateEnds({ endedBeforeMs: lateEndsMs })).catch(tell)
  setInterval(() => void follow(), lateEndsMs).unref()
}

/** One round at a time. */
function createRound(): () => Promise<void> {
  let [busy, beatenAt, steadySince] = [false, performance.now(), performance.now() - deadAfterMs]
  return async () => {
    if (busy) return
    busy = true
    try {
      const now = performance.now()
      await beatOnce()
      // After the database was away, nobody has said anything for a while. The others get their time to do so.
      if (now - beatenAt > deadAfterMs) steadySince = now
      beatenAt = now
      await forgetLost()
      if (now - steadySince < deadAfterMs) return
      await takeJobsOver()
      await resumeBatches()
    } catch (error) {
      tell(error)
    } finally {
      busy = false
    }
  }
}

const tell = (error: unknown): void => log.error({ err: error }, 'work of other portals could not be taken over')
