/** The nights of a schedule, in its time zone. Pure. */
import 'server-only'
import { localTime } from '@/lib/portal/base/local-time'

const minuteMs = 60_000
const dayMinutes = 24 * 60

type Schedule = { hour: number; timeZone: string }

/** night: YYYY-MM-DD of the day on which it began. dueAt: when it began; an hour off if the clocks have changed since then. */
type Night = { night: string; dueAt: Date }

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMinutes * minuteMs).toISOString().slice(0, 10)

/** The newest night whose hour has come. */
export function newestNight({ hour, timeZone }: Schedule, now: Date): Night {
  const { day, minute } = localTime(now, timeZone)
  const passed = minute - hour * 60
  const ago = (passed + dayMinutes) % dayMinutes
  return { night: passed >= 0 ? day : dayBefore(day), dueAt: new Date(startOfMinute(now) - ago * minuteMs) }
}

/** A mark of tomorrow counts, because the clock may have been a little fast. One further ahead was made by a wrong clock, and is ignored. */
export const isPlanned = (marked: string, night: string): boolean => marked >= night && dayBefore(dayBefore(marked)) < night

/** When the hour comes next; an hour earlier or later on a day that lacks it because clocks change. */
export function nextNight({ hour, timeZone }: Schedule, now: Date): Date {
  const { minute } = localTime(now, timeZone)
  const next = new Date(startOfMinute(now) + ((hour * 60 - minute + dayMinutes) % dayMinutes || dayMinutes) * minuteMs)
  const off = (hour * 60 - localTime(next, timeZone).minute + 1.5 * dayMinutes) % dayMinutes
  return new Date(next.getTime() + (off - dayMinutes / 2) * minuteMs)
}

const startOfMinute = (now: Date): number => now.getTime() - (now.getTime() % minuteMs)
