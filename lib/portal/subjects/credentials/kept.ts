/** Credentials that a service created and will not tell again, such as an app's first password: in memory, for whoever started the job (decision 044). */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

export type Credentials = { url: string; user: string; password: string }

/** Milliseconds. A reload, or an answer that was lost on its way, shows them again until `shown` has passed. */
type KeepTiming = { unseenMs: number; shownMs: number }

const usual: KeepTiming = { unseenMs: 24 * 3_600_000, shownMs: 10 * 60_000 }

/** A job, by what it does to which site: a later job that returns none leaves those of an earlier one where they are. */
type Work = { operation: string; siteId: string | null }

type Kept = { userId: string; credentials: Credentials; shown: boolean; shownMs: number; timer: NodeJS.Timeout }

const kept = processState('credentials', () => new Map<string, Kept>())

const keyOf = ({ operation, siteId }: Work): string => JSON.stringify([operation, siteId])

/** Of what a service sends, more would not be a password. */
const maxLength = 1_000

/** They replace earlier ones. A site that was deleted has none. */
export function keepCredentials(work: Work, userId: string, credentials: Credentials, { unseenMs, shownMs }: KeepTiming = usual): void {
  forgetCredentials(work)
  const { url, user, password } = credentials
  if (work.siteId === null || [url, user, password].some((text) => text.length > maxLength)) return
  const timer = dropAfter(work, unseenMs)
  kept().set(keyOf(work), { userId, credentials: { url, user, password }, shown: false, shownMs, timer })
}

/** Who may see the credentials that such a job returned; null if there are none, or no longer. */
export const credentialsFor = (work: Work): string | null => kept().get(keyOf(work))?.userId ?? null

/** Null for anybody else. They are dropped some time after the first look. */
export function showCredentials(work: Work, userId: string): Credentials | null {
  const found = kept().get(keyOf(work))
  if (found?.userId !== userId) return null
  if (!found.shown) {
    clearTimeout(found.timer)
    kept().set(keyOf(work), { ...found, shown: true, timer: dropAfter(work, found.shownMs) })
  }
  return found.credentials
}

export function forgetCredentials(work: Work): void {
  clearTimeout(kept().get(keyOf(work))?.timer)
  kept().delete(keyOf(work))
}

function dropAfter(work: Work, ms: number): NodeJS.Timeout {
  return setTimeout(() => kept().delete(keyOf(work)), ms).unref()
}
