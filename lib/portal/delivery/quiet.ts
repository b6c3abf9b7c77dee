/** Times of the day in a time zone. Pure. */
import 'server-only'
import { localTime } from '@/lib/portal/base/local-time'

export type QuietHours = { quietFrom: number | null; quietTo: number | null; timeZone: string }

/** From `quietFrom` up to, but without, `quietTo`; also over midnight. Equal times mean none. */
export function isQuiet({ quietFrom, quietTo, timeZone }: QuietHours, now: Date): boolean {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return false
  const { minute } = localTime(now, timeZone)
  return quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo
}

/** Minutes of the day from "22:00"; null if it is no time. */
export function parseTimeOfDay(text: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes)
}

export const formatTimeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
