/** In how many days a server's disk will be full, from the samples of a week. */
import 'server-only'
import { readSlots, type Slot } from '@/lib/portal/subjects/samples/slots'
import { timeUntilFull } from './trend'

const day = 24 * 60
const lookedBack = 7 * day
/** Minutes in which samples count as one. */
const step = 120
// Farther than that a rate of days says nothing.
const farthestDays = 90
// Two slots short of a day: the first and the last are counted by their beginnings.
const least = day - 2 * step

/** Null where nothing can be said, or it is more than 90 days away. now: minutes since 1970. */
export async function readFullInDays(serverId: string, now: number): Promise<number | null> {
  return fullInDays(await readSlots(serverId, step, now - lookedBack))
}

/** Slots from before the disk had the size that it has now say nothing of it. */
export function fullInDays(slots: readonly Slot[]): number | null {
  const total = slots.findLast(({ diskTotal }) => diskTotal !== null)?.diskTotal ?? 0
  const points = slots.flatMap(({ from, diskUsed, diskTotal }) =>
    diskUsed === null || diskTotal === null || Math.abs(diskTotal - total) > total / 100 ? [] : [{ at: from, value: diskUsed }],
  )
  const minutes = timeUntilFull(points, total, least)
  const days = minutes === null ? null : Math.round(minutes / day)
  return days === null || days > farthestDays ? null : days
}
