/** Shares one listing of a subject per connection among simultaneous and recent callers. `list` is the id of the list operation. */
import 'server-only'
import type { Cut, Problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'

/** The result of a listing: null for success, else the problem. */
export type Listing = { at: number; sharedMs: number; problem: Promise<Problem | null> }

/** The newest stored list: its digest, time (ms since 1970), whether it was truncated, and the number of unreadable items. */
export type Stored = { digest: string; at: number; cut: Cut | null; unreadable: number }

type Known = { problem: Problem | null; at: number }

const sharedForMs = 2_000
// A slow list is shared for longer, so that listing takes at most about a tenth of the time.
const sharedPerMsOfAsking = 10
const maxSharedMs = 30_000

const listings = processState('listings', () => new Map<string, Listing>())

const storedLists = processState('stored lists', () => new Map<string, Stored>())

const problems = processState('listing problems', () => new Map<string, Known>())

const keyOf = (list: string, connectionId: string): string => `${connectionId} ${list}`

const knownForMs = 60_000

/** Why the newest listing failed; null if it succeeded, or if there was none in the last minute. */
export function findListingProblem(list: string, connectionId: string): Problem | null {
  const known = problems().get(keyOf(list, connectionId))
  return known && Math.abs(Date.now() - known.at) < knownForMs ? known.problem : null
}

/** Runs `ask`, unless a listing is running or younger than `sharedMs` (by default 2 s, or ten times its duration if that is longer). */
export function shareListing(
  list: string,
  connectionId: string,
  ask: () => Promise<Problem | null>,
  sharedMs?: number,
): Promise<Problem | null> {
  const key = keyOf(list, connectionId)
  const known = listings().get(key)
  // A time in the future means that the clock was set back: such a listing counts as old.
  const age = known && (known.at === Number.POSITIVE_INFINITY ? 0 : Date.now() - known.at)
  if (known && age !== undefined && age >= 0 && age < (sharedMs ?? known.sharedMs)) return known.problem
  const askedAt = Date.now()
  const listing: Listing = { at: Number.POSITIVE_INFINITY, sharedMs: sharedForMs, problem: ask() }
  listings().set(key, listing)
  const settle = () => {
    listing.at = Date.now()
    listing.sharedMs = Math.min(maxSharedMs, Math.max(sharedForMs, (listing.at - askedAt) * sharedPerMsOfAsking))
  }
  listing.problem.then(
    (problem) => {
      settle()
      problems().set(key, { problem, at: Date.now() })
    },
    () => listings().delete(key),
  )
  return listing.problem
}

/** Makes the next listing of any subject call the service again, and store the list even if it is unchanged. */
export function forgetListing(connectionId: string): void {
  for (const known of [listings(), storedLists()])
    for (const key of known.keys()) if (key.startsWith(keyOf('', connectionId))) known.delete(key)
}

export const findStored = (list: string, connectionId: string): Stored | undefined => storedLists().get(keyOf(list, connectionId))

export function noteStored(list: string, connectionId: string, stored: Stored): void {
  storedLists().set(keyOf(list, connectionId), stored)
}
