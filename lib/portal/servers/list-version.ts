/** Which state of the list somebody has seen: so that a poll is answered in a few bytes while nothing changes. */
import 'server-only'
import { createHash } from 'node:crypto'
import type { ServerList } from './list'

/** What a poll gets: the list with its version, or that the version it named still stands. */
export type VersionedList = (ServerList & { version: string }) | { version: string; same: true }

/** `seen`: the version the asker has; null for one who has none. */
export function answerSince(list: ServerList, seen: string | null): VersionedList {
  const version = createHash('sha1').update(JSON.stringify(list)).digest('base64url')
  return version === seen ? { version, same: true } : { ...list, version }
}
