/** Limits how many streams each user has open, so that one user's tabs cannot use up the limit for all. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** Tabs of a browser share one stream, so this is far more than a user needs. */
const maxPerPerson = 24

const openStreams = processState('open streams', () => new Map<string, number>())

/** Takes a slot for a user. Returns the function that releases it, which may be called twice; null if the user has too many. */
export function takeStream(userId: string): (() => void) | null {
  const open = openStreams()
  const count = open.get(userId) ?? 0
  if (count >= maxPerPerson) return null
  open.set(userId, count + 1)
  let taken = true
  return () => {
    if (!taken) return
    taken = false
    const left = (open.get(userId) ?? 1) - 1
    if (left > 0) open.set(userId, left)
    else open.delete(userId)
  }
}
