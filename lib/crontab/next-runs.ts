/** Calculates the next runs of a schedule in a time zone. */
import type { Schedule } from './schedule'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The next 29 February may be eight years away. */
const daysAhead = 366 * 9

/** Whether the schedule matches a day. `day` is its midnight as if in UTC, ms. */
function isDay({ dom, mon, dow, eitherDay }: Schedule, day: number): boolean {
  const date = new Date(day)
  if (!mon.has(date.getUTCMonth() + 1)) return false
  const [byDate, byWeekday] = [dom.has(date.getUTCDate()), dow.has(date.getUTCDay())]
  return eitherDay ? byDate || byWeekday : byDate && byWeekday
}

/**
 * The next `count` runs (ms since 1970) after `afterMs`, or fewer if the next nine years have fewer. When the clock moves forward,
 * a run in the gap happens once at its end; when it moves back, a fixed time runs once.
 */
export function nextRuns(schedule: Schedule, timeZone: string, afterMs: number, count: number): number[] {
  const clock = createClock(timeZone)
  const runs: number[] = []
  const today = Math.floor(clock.wallOf(afterMs) / dayMs) * dayMs
  const hours = [...schedule.hour].sort((a, b) => a - b)
  const minutes = [...schedule.minute].sort((a, b) => a - b)
  for (let day = today; day < today + daysAhead * dayMs; day += dayMs) {
    if (!isDay(schedule, day)) continue
    const walls = hours.flatMap((hour) => minutes.map((minute) => day + (hour * 60 + minute) * minuteMs))
    // When the clock moves back, an hour occurs twice, so the runs must be sorted.
    const found = walls.flatMap((wall) => clock.momentsOf(wall, schedule.open)).filter((moment) => moment > afterMs)
    runs.push(...[...new Set(found)].sort((a, b) => a - b))
    if (runs.length >= count) break
  }
  return runs.slice(0, count)
}

/** Converts between instants and wall-clock times. The latter are encoded as if they were UTC, ms. */
function createClock(timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const wallOf = (moment: number): number => {
    const found = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const offsets = new Map<number, number>()
  /** The UTC offset around noon of a day; callers also look up the days before and after. */
  const offsetOn = (day: number): number => {
    const known = offsets.get(day) ?? wallOf(day) - day
    offsets.set(day, known)
    return known
  }
  return {
    wallOf,
    momentsOf(wall: number, open: boolean): number[] {
      const day = Math.floor(wall / dayMs) * dayMs
      const [before, after] = [offsetOn(day - dayMs), offsetOn(day + 2 * dayMs)]
      if (before === after) return [wall - before]
      const moments = [wall - Math.max(before, after), wall - Math.min(before, after)].filter((moment) => wallOf(moment) === wall)
      if (moments.length > 0) return open ? moments : moments.slice(0, 1)
      // In the gap: an open schedule has no such minute; a fixed one runs once after the jump.
      return open ? [] : [endOfGap(wall - before, wallOf)]
    },
  }
}

/** The first instant after the jump, searched backwards from `late`, which is at most three hours after it. */
function endOfGap(late: number, wallOf: (moment: number) => number): number {
  const offset = wallOf(late) - late
  let moment = late
  while (wallOf(moment - minuteMs) - (moment - minuteMs) === offset) moment -= minuteMs
  return moment
}
