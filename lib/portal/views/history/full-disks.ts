/** Servers whose disk is nearly full or soon will be. */
import 'server-only'
import { listUsableConnections } from '@/lib/portal/access/connections'
import { findSight } from '@/lib/portal/access/visible'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { type FullestRow, readFullest, readFullSince } from '@/lib/portal/base/sql/full-disks'
import type { Actor } from '@/lib/portal/identity/actor'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { readFullInDays } from './disk-outlook'

/** share: 0–1. days: until it is full; null if unknown. since: the first of the consecutive samples at that level, ISO. */
export type FullDisk = { id: string; name: string; share: number; days: number | null; since: string | null }

// A disk below the first share is never reported; above the second, always, whatever the trend.
const [lookedAtShare, fullShare] = [0.75, 0.9]
const soonDays = 14
const most = 20
// If some of them may be out of the reader's sight.
const mostExamined = 200
const newestMinutes = 24 * 60

/** The fullest first, at most 20, from the samples of the last day. Calls no service. */
export async function listFullDisks(actor: Actor, now = Date.now()): Promise<FullDisk[]> {
  const [sees, connections] = await Promise.all([findSight(actor), listUsableConnections(actor)])
  const place = { teamId: actor.team.id, connectionIds: connections.map(({ id }) => id) }
  const fullest = await cachedUntilWrite(`fullest disks ${place.teamId} ${place.connectionIds.join(' ')}`, () =>
    findFullest(place, minuteOf(now), mostExamined),
  )
  // Only those in sight: what follows takes queries for each.
  const seen = fullest.filter(({ id }) => sees({ kind: 'server', serverId: id })).slice(0, most)
  return cachedUntilWrite(`full disks ${seen.map(({ id }) => id).join(' ')}`, () => findFull(seen, now))
}

type Place = { teamId: string; connectionIds: readonly string[] }

/** The same for the servers that some connections list. */
export const listFullDisksOf = async (place: Place, now = Date.now()): Promise<FullDisk[]> =>
  findFull(await findFullest(place, minuteOf(now), most), now)

async function findFull(fullest: readonly FullestRow[], now: number): Promise<FullDisk[]> {
  const disks = await Promise.all(fullest.map(async (disk) => ({ ...disk, days: await readFullInDays(disk.id, minuteOf(now)) })))
  const full = disks.filter(({ share, days }) => share >= fullShare || (days !== null && days <= soonDays))
  return Promise.all(full.map(async (disk) => ({ ...disk, since: await findSince(disk) })))
}

function findFullest({ teamId, connectionIds }: Place, now: number, limit: number): Promise<FullestRow[]> {
  return readFullest({ teamId, connectionIds, since: now - newestMinutes, least: lookedAtShare, limit })
}

/** Since when the disk has been above the threshold that it is reported for. */
async function findSince({ id, share }: FullestRow): Promise<string | null> {
  const at = await readFullSince(id, share >= fullShare ? fullShare : lookedAtShare)
  return at === null ? null : new Date(at * 60_000).toISOString()
}
