/** Who is looking at what now, in this process's memory only: an entry is true for a minute and of no use after it. */
import 'server-only'
import { processState } from './process-state'

const lastsMs = 60_000

/** By opaque id of what they look at: when each user last did, in milliseconds. */
const presence = processState('presence', () => new Map<string, Map<string, number>>())

/** Records that a user looks at something now. */
export function recordPresence(id: string, userId: string, now = Date.now()): void {
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
