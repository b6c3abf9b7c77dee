/** One listing per connection at a time, shared briefly by all callers. */
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

const knownForMs = 60_000

/** Why the newest list did not come; null if it came, or if none was requested in the last minute. */
export function findListingProblem(connectionId: string): Problem | null {
  const known = problems().get(connectionId)
  return known && Math.abs(Date.now() - known.at) < knownForMs ? known.problem : null
}

/** Calls `ask` unless a listing of this connection is running or younger than `sharedMs` (2 s, or ten times its duration). */
export function shareListing(connectionId: string, ask: () => Promise<Problem | null>, sharedMs?: number): Promise<Problem | null> {
  const known = listings().get(connectionId)
  // A time in the future means that the clock was set back; such a listing counts as old.
  const age = known && (known.at === Number.POSITIVE_INFINITY ? 0 : Date.now() - known.at)
  if (known && age !== undefined && age >= 0 && age < (sharedMs ?? known.sharedMs)) return known.problem
  const askedAt = Date.now()
  const listing: Listing = { at: Number.POSITIVE_INFINITY, sharedMs: sharedForMs, problem: ask() }
  listings().set(connectionId, listing)
  const settle = () => {
    listing.at = Date.now()
    listing.sharedMs = Math.min(maxSharedMs, Math.max(sharedForMs, (listing.at - askedAt) * sharedPerMsOfAsking))
  }
  listing.problem.then(
    (problem) => {
      settle()
      problems().set(connectionId, { problem, at: Date.now() })
    },
    () => listings().delete(connectionId),
  )
  return listing.problem
}

/** The next list asks the service again, and is stored whatever it contains. */
export function forgetListing(connectionId: string): void {
  listings().delete(connectionId)
  storedLists().delete(connectionId)
}

export function findStored(connectionId: string): Stored | undefined {
  return storedLists().get(connectionId)
}

export function noteStored(connectionId: string, stored: Stored): void {
  storedLists().set(connectionId, stored)
}
