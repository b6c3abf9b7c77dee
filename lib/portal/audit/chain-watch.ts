/** Whether the record is unbroken, known without walking all of it on every look. */
import 'server-only'
import { log } from '@/lib/log'
import { processState } from '@/lib/portal/base/process-state'
import { type AuditVerdict, verifyAudit } from './verify'

/** The last whole walk and when it ended (ms since 1970). */
export type ChainState = { verdict: AuditVerdict; at: number }

type Watch = { last?: ChainState; walking?: Promise<ChainState> }

const chainWatch = processState('chain watch', (): Watch => ({}))

const freshMs = 5 * 60_000

/**
 * What the last walk found; a new one is begun when that is older than 5 minutes, and waited for at most `patienceMs`.
 * Null while the first is still under way. Rows cut off the end since the last walk show too: its last mac must still be there.
 */
export async function watchChain(patienceMs = 200): Promise<ChainState | null> {
  const watch = chainWatch()
  // Either way round: the clock may have been set back.
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
