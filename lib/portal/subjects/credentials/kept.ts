/**
 * Credentials that a service created and will not tell again, such as the first password of an app. Kept in the memory of this process alone
 * (decision 047), for whoever started the job that returned them.
 */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

export type Credentials = { url: string; user: string; password: string }

/** Milliseconds. A reload, or an answer that was lost on its way, shows them again until `shown` has passed. */
export type KeepTiming = { unseenMs: number; shownMs: number }

const usual: KeepTiming = { unseenMs: 24 * 3_600_000, shownMs: 10 * 60_000 }

type Kept = { userId: string; credentials: Credentials; shown: boolean; shownMs: number; timer: NodeJS.Timeout }

const kept = processState('credentials', () => new Map<string, Kept>())

/** Of what a service sends, more would not be a password. */
const maxLength = 1_000

export function keepCredentials(jobId: string, userId: string, credentials: Credentials, { unseenMs, shownMs }: KeepTiming = usual): void {
  forgetCredentials(jobId)
  const { url, user, password } = credentials
  if ([url, user, password].some((text) => text.length > maxLength)) return
  kept().set(jobId, { userId, credentials: { url, user, password }, shown: false, shownMs, timer: dropAfter(jobId, unseenMs) })
}

/** Who may see the credentials that a job returned; null if there are none, or no longer. */
export const credentialsFor = (jobId: string): string | null => kept().get(jobId)?.userId ?? null

/** Null for anybody else. They are dropped some time after the first look. */
export function showCredentials(jobId: string, userId: string): Credentials | null {
  const found = kept().get(jobId)
  if (found?.userId !== userId) return null
  if (!found.shown) {
    clearTimeout(found.timer)
    kept().set(jobId, { ...found, shown: true, timer: dropAfter(jobId, found.shownMs) })
  }
  return found.credentials
}

export function forgetCredentials(jobId: string): void {
  clearTimeout(kept().get(jobId)?.timer)
  kept().delete(jobId)
}

function dropAfter(jobId: string, ms: number): NodeJS.Timeout {
  return setTimeout(() => kept().delete(jobId), ms).unref()
}
