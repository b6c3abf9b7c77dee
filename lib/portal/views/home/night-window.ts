/** From when to when "last night" was, in the reader's time zone. Pure. */
import 'server-only'
import { momentAt, wallAt } from '@/lib/portal/base/days'

/** ms since 1970 */
export type NightWindow = { from: number; to: number }

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const [evening, morning] = [20, 8]

/** The night that began last, from 20:00 to 08:00. The one that begins this evening counts from midnight on. */
export function lastNight(now: number, zone: string): NightWindow {
  const wall = wallAt(now, zone)
  const midnight = wall - (((wall % dayMs) + dayMs) % dayMs)
  const at = (hours: number) => momentAt(midnight + hours * hourMs, zone).getTime()
  return { from: at(evening - 24), to: at(morning) }
}

/** YYYY-MM-DD in a time zone. */
export const dayIn = (moment: number, zone: string): string => new Date(wallAt(moment, zone)).toISOString().slice(0, 10)
