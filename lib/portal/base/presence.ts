/** Who is looking at what now, in the portals' memory only: an entry is true for a minute and of no use after it. */
import 'server-only'
import { onHint, sendHint } from './portals/hints'
import { processState } from './process-state'

const lastsMs = 60_000
// Each read counts, and most come much sooner.
const tellAgainMs = 10_000

/** By opaque id of what they look at: when each user last did, in milliseconds. */
const presence = processState('presence', () => new Map<string, Map<string, number>>())

/** Records that a user looks at something now, and tells the other portals. */
export function recordPresence(id: string, userId: string, now = Date.now()): void {
  const before = presence().get(id)?.get(userId) ?? 0
  if (now - before >= tellAgainMs) void sendHint('presence', `${id} ${userId}`)
  keepPresence(id, userId, now)
}

/** Takes what other portals tell, until the returned function is called. */
export function hearPresence(): () => void {
  return onHint('presence', (text) => {
    const [id = '', userId = ''] = text.split(' ')
    // By the clock of this process.
    keepPresence(id, userId, Date.now())
  })
}

function keepPresence(id: string, userId: string, now: number): void {
  const users = presence().get(id) ?? new Map<string, number>()
  users.set(userId, now)
  presence().set(id, users)
}

/** The ids of users who looked at it within the last minute. */
export function findPresentUsers(id: string, now = Date.now()): string[] {
  const users = presence().get(id)
  if (!users) return []
  for (const [userId, at] of users) if (now - at >= lastsMs) users.delete(userId)
  if (users.size === 0) presence().delete(id)
  return [...users.keys()]
}
