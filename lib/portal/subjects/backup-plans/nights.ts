/** The nights of a schedule, in its time zone. Pure. */
import 'server-only'
import { localTime } from '@/lib/portal/base/local-time'

const minuteMs = 60_000
const dayMinutes = 24 * 60

type Schedule = { hour: number; timeZone: string }

/** night: YYYY-MM-DD of the day on which it began. dueAt: when, by the hours that have passed: an hour off if clocks were changed since then. */
type Night = { night: string; dueAt: Date }

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMinutes * minuteMs).toISOString().slice(0, 10)

/** The newest night whose hour has come. */
export function newestNight({ hour, timeZone }: Schedule, now: Date): Night {
  const { day, minute } = localTime(now, timeZone)
  const passed = minute - hour * 60
  const ago = (passed + dayMinutes) % dayMinutes
  return { night: passed >= 0 ? day : dayBefore(day), dueAt: new Date(startOfMinute(now) - ago * minuteMs) }
}

/** A night that was marked while the clock was wrong is not waited for. One of tomorrow may be of a clock that was only a little fast. */
export const isPlanned = (marked: string, night: string): boolean => marked >= night && dayBefore(dayBefore(marked)) < night

/** When the hour comes next. On the day of a change of clocks that lacks the hour, an hour earlier or later. */
export function nextNight({ hour, timeZone }: Schedule, now: Date): Date {
  const { minute } = localTime(now, timeZone)
  const next = new Date(startOfMinute(now) + ((hour * 60 - minute + dayMinutes) % dayMinutes || dayMinutes) * minuteMs)
  const off = (hour * 60 - localTime(next, timeZone).minute + 1.5 * dayMinutes) % dayMinutes
  return new Date(next.getTime() + (off - dayMinutes / 2) * minuteMs)
}

const startOfMinute = (now: Date): number => now.getTime() - (now.getTime() % minuteMs)
