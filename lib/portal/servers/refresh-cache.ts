/** One listing per connection at a time, shared for 2 s by whoever asks. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'

/** What asking came to: null where the list came, else why it did not. */
export type Listing = { at: number; problem: Promise<Problem | null> }

// Shared by all route bundles of the process.
const holder: { gatehouseListings?: Map<string, Listing> } = globalThis as object

const sharedForMs = 2_000

const listings = (): Map<string, Listing> => {
  holder.gatehouseListings ??= new Map()
  return holder.gatehouseListings
}

/** Runs `ask` unless one for this connection is under way or younger than `sharedMs`. */
export function shareListing(connectionId: string, ask: () => Promise<Problem | null>, sharedMs = sharedForMs): Promise<Problem | null> {
  const known = listings().get(connectionId)
  if (known && Date.now() - known.at < sharedMs) return known.problem
  const listing: Listing = { at: Number.POSITIVE_INFINITY, problem: ask() }
  listings().set(connectionId, listing)
  const settle = () => {
    listing.at = Date.now()
  }
  listing.problem.then(settle, () => listings().delete(connectionId))
  return listing.problem
}

/** The next list asks the service again. */
export function forgetListing(connectionId: string): void {
  listings().delete(connectionId)
}
