/** Whether the audit log's integrity is verified, without walking the whole log for every request. */
import 'server-only'
import { log } from '@/lib/log'
import { processState } from '@/lib/portal/base/process-state'
import { type AuditVerdict, verifyAudit } from './verify'

/** The result of the last complete walk and when it ended (ms since 1970). */
export type ChainState = { verdict: AuditVerdict; at: number }

type Watch = { last?: ChainState; walking?: Promise<ChainState> }

const chainWatch = processState('chain watch', (): Watch => ({}))

const freshMs = 5 * 60_000

/**
 * The result of the last walk. If that is older than 5 minutes, a new walk starts, which the caller awaits for at most `patienceMs`. Null
 * while the first walk is running. Also detects entries cut off the end since then: the last mac of the walk must still exist.
 */
export async function watchChain(patienceMs = 200): Promise<ChainState | null> {
  const watch = chainWatch()
  // Absolute difference, because the clock may have been set back.
  if (watch.last && Math.abs(Date.now() - watch.last.at) < freshMs) return watch.last
  watch.walking ??= walk(watch).finally(() => delete watch.walking)
  const walking = watch.walking.catch(() => null)
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs)
  })
  const found = await Promise.race([walking, patience])
  clearTimeout(timer)
  return found ?? watch.last ?? null
}

async function walk(watch: Watch): Promise<ChainState> {
  try {
    const head = watch.last?.verdict.ok && watch.last.verdict.rows > 0 ? watch.last.verdict.head : undefined
    const verdict = await verifyAudit(head)
    if (!verdict.ok) log.error({ badSeq: verdict.badSeq }, 'audit log integrity check failed')
    watch.last = { verdict, at: Date.now() }
    return watch.last
  } catch (error) {
    log.error({ err: error }, 'audit log integrity could not be checked')
    throw error
  }
}
