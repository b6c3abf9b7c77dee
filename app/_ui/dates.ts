/** Dates in the one format of all pages: "28 Nov 2026", "Sat 28 Nov 2026". */

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** A function that formats moments (ms since 1970), for lists: a formatter takes long to create. */
export function dayFormat(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...day, timeZone })
  return (moment) => format.format(moment)
}

/** The same with the day of the week before it. Formatted separately, because browsers disagree about a comma between them. */
export function weekdayFormat(timeZone: string): (moment: number) => string {
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone })
  const format = dayFormat(timeZone)
  return (moment) => `${weekday.format(moment)} ${format(moment)}`
}
