/** How many streams each person has open, so that nobody's tabs use up what is there for all. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** Browsers share one stream among their tabs: this is far more than a person needs. */
const maxPerPerson = 24

const openStreams = processState('open streams', () => new Map<string, number>())

/** Takes one for a person. Answers how to give it back (more than once does no harm), or null when they have too many. */
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
