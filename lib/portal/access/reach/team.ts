/** What decides who can do what in a team: its members, grants, loans, labels and connections, and what these list. */
import 'server-only'
import type { Grant, Labelled, Place } from '@/lib/portal/access/grants/grant'
import type { Loan } from '@/lib/portal/access/loans/loan'
import type { Role } from '@/lib/portal/identity/actor'

/** Somebody who can sign in. Times in ms since 1970; endsAt: no member from then on. */
export type ReachMember = { userId: string; role: Role; endsAt: number | null }

/** A connection. ownerId null: the team's. acts: it is not frozen, and its API key was not refused. */
export type ReachKey = { id: string; ownerId: string | null; acts: boolean }

/** A server or site, with the ids of the connections that list it. */
export type ListedPlace = { place: Exclude<Place, { kind: 'everywhere' }>; keyIds: readonly string[] }

/** loans: as stored, whatever became of whoever lends. */
export type ReachTeam = {
  members: readonly ReachMember[]
  grants: readonly Grant[]
  loans: readonly Loan[]
  labels: readonly Labelled[]
  keys: readonly ReachKey[]
  places: readonly ListedPlace[]
}

export const idOf = (place: ListedPlace['place']): string => (place.kind === 'server' ? place.serverId : place.siteId)
