/** Copies of a half's database, whichever engine it has, while it may be in use. */

import { copyInBackground } from './connection'
import { copyDatabase } from './copy'
import { dumpDatabase } from './dump'
import type { DatabasePlace } from './place'

/** What the copy of a half's database is called: its ending says which engine can read it. */
export const copyName = (half: 'portal' | 'service', place: DatabasePlace): string =>
  `${half}.${typeof place === 'string' ? 'db' : 'pgdump'}`

/** Writes the copy, readable only by its owner, which has a temporary name until it is complete. Rejects with SqliteError or DatabaseError. */
export const copyPlace = async (place: DatabasePlace, copy: string): Promise<void> =>
  typeof place === 'string' ? copyDatabase(place, copy) : dumpDatabase(place, copy)

/** The same for a process that serves requests meanwhile; `signal` ends pg_dump. Rejects with SqliteError or DatabaseError. */
export const copyPlaceInBackground = (place: DatabasePlace, copy: string, signal: AbortSignal): Promise<void> =>
  typeof place === 'string' ? copyInBackground(place, copy) : dumpDatabase(place, copy, { signal })
