/** Versions of the list, so that a poll is answered in a few bytes while nothing changes. */
import 'server-only'
import { createHash } from 'node:crypto'
import { createSlices, slicesOf } from '@/lib/portal/base/turns'
import type { ServerList } from './list'

/** The answer to a poll: the list with its version, or that the given version is still current. */
export type VersionedList = (ServerList & { version: string }) | { version: string; same: true }

const writtenAtOnce = 500

/** The answer as JSON text (a VersionedList), written in slices. `seen`: the version the client has, or null. */
export async function answerSince({ servers, ...others }: ServerList, seen: string | null): Promise<string> {
  const turn = createSlices()
  const besides = JSON.stringify(others)
  const hash = createHash('sha1').update(besides)
  const pieces: string[] = []
  for (const slice of slicesOf(servers, writtenAtOnce)) {
    const piece = JSON.stringify(slice).slice(1, -1)
    hash.update(piece)
    pieces.push(piece)
    await turn()
  }
  const version = hash.digest('base64url')
  if (version === seen) return JSON.stringify({ version, same: true } satisfies VersionedList)
  return `{"version":"${version}","servers":[${pieces.join(',')}],${besides.slice(1)}`
}
