/** Work that the leading portal repeats while it runs. */
import 'server-only'
import { log } from '@/lib/log'
import { asLeader } from './join'

/** failure: what is logged if a round fails. lost: aborts when this portal no longer leads. */
type Rounds = { everyMs: number; failure: string; work: (lost: AbortSignal) => Promise<void> }

/** A round begins every `everyMs`, unless the former one still runs. After one that failed, the next begins as usual. */
export function leadRounds({ everyMs, failure, work }: Rounds): void {
  let isRunning = false
  setInterval(() => {
    if (isRunning) return
    isRunning = true
    void asLeader(work)
      .catch((err: unknown) => log.error({ err }, failure))
      .finally(() => {
        isRunning = false
      })
  }, everyMs).unref()
}
