/** Counts how many streams each user has open, so that nobody's tabs exhaust the limit for all. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** Browsers share one stream among their tabs, so this is far more than a user needs. */
const maxPerPerson = 24

const openStreams = processState('open streams', () => new Map<string, number>())

/** Takes a slot for a user. Returns the function that releases it (repeated calls are harmless), or null when they have too many. */
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
