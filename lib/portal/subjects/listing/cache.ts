/** One listing of a subject per connection at a time, shared for a moment by whoever asks. `list` is the id of the operation that lists it. */
import 'server-only'
import type { Cut, Problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'

/** The result of a listing: null if the list came, else the problem. */
export type Listing = { at: number; sharedMs: number; problem: Promise<Problem | null> }

/** The newest stored list: its digest, when (ms since 1970), whether it was truncated, and how many of its items could not be read. */
export type Stored = { digest: string; at: number; cut: Cut | null; unread: number }

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

/** Why the newest list did not come; null where it came, or none did in the last minute. */
export function findListingProblem(list: string, connectionId: string): Problem | null {
  const known = problems().get(keyOf(list, connectionId))
  return known && Math.abs(Date.now() - known.at) < knownForMs ? known.problem : null
}

/** Runs `ask` unless one for this list is under way or younger than `sharedMs` (2 s, or ten times as long as it took). */
export function shareListing(
  list: string,
  connectionId: string,
  ask: () => Promise<Problem | null>,
  sharedMs?: number,
): Promise<Problem | null> {
  const key = keyOf(list, connectionId)
  const known = listings().get(key)
  // A moment to come is a clock that was set back: such a listing is old.
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

/** The next list of any subject asks the service again, and is written down whatever it says. */
export function forgetListing(connectionId: string): void {
  for (const known of [listings(), storedLists()])
    for (const key of known.keys()) if (key.startsWith(keyOf('', connectionId))) known.delete(key)
}

export const findStored = (list: string, connectionId: string): Stored | undefined => storedLists().get(keyOf(list, connectionId))

export function noteStored(list: string, connectionId: string, stored: Stored): void {
  storedLists().set(keyOf(list, connectionId), stored)
}
