/** Predicts in how many days a server's disk will be full, from the samples of a week. */
import 'server-only'
import { readSlots, type Slot } from '@/lib/portal/subjects/samples/slots'
import { timeUntilFull } from './trend'

const day = 24 * 60
const lookedBack = 7 * day
/** The length of a slot that counts as one point, in minutes. */
const step = 120
// A rate measured over days is meaningless beyond this.
const farthestDays = 90
// Two slots less than a day, because the first and the last slot are counted from their beginnings.
const least = day - 2 * step

/** Null if unknown or more than 90 days away. now: minutes since 1970. */
export async function readFullInDays(serverId: string, now: number): Promise<number | null> {
  return fullInDays(await readSlots(serverId, step, now - lookedBack))
}

/** Ignores slots from before the disk had its present size. */
export function fullInDays(slots: readonly Slot[]): number | null {
  const total = slots.findLast(({ diskTotal }) => diskTotal !== null)?.diskTotal ?? 0
  const points = slots.flatMap(({ from, diskUsed, diskTotal }) =>
    diskUsed === null || diskTotal === null || Math.abs(diskTotal - total) > total / 100 ? [] : [{ at: from, value: diskUsed }],
  )
  const minutes = timeUntilFull(points, total, least)
  const days = minutes === null ? null : Math.round(minutes / day)
  return days === null || days > farthestDays ? null : days
}
