/** When something was, as a title: "Today 02:14", "Yesterday 23:50", "21 Nov 02:14", and with its year if that is another one. */

type Reading = { timeZone: string; now: number }

/** A function for many titles, because each formatter takes a while to make. Without `now` no day is called today: the zone is unknown. */
export function dayTimeFormat({ timeZone, now }: Reading | { timeZone: string; now: null }): (ms: number) => string {
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  const named = now === null ? new Map<string, string>() : namedDays(days, now)
  const thisYear = now === null ? '' : ` ${yearOf(days, now)}`
  return (ms) => {
    const day = days.format(ms)
    const shortened = thisYear !== '' && day.endsWith(thisYear) ? day.slice(0, -thisYear.length) : day
    return `${named.get(day) ?? shortened} ${times.format(ms)}`
  }
}

const hourMs = 3_600_000

/** The day before has 23 to 25 hours when clocks change, and the first of these moments that is not today is in it. */
function namedDays(days: Intl.DateTimeFormat, now: number): Map<string, string> {
  const today = days.format(now)
  const before = [22, 24, 26].map((hours) => days.format(now - hours * hourMs)).find((day) => day !== today) ?? ''
  return new Map([
    [before, 'Yesterday'],
    [today, 'Today'],
  ])
}

const yearOf = (days: Intl.DateTimeFormat, ms: number): string => days.formatToParts(ms).find(({ type }) => type === 'year')?.value ?? ''
