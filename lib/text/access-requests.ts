/** Requests for access in words, for both the portal's server and its pages. */

/** For how long can be asked, in minutes; null: without an end. */
export const minutesChoices: readonly (number | null)[] = [60, 8 * 60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60, null]

/** Of those that wait for an answer, the newest are listed. */
export const mostWaiting = 200

const units: readonly (readonly [minutes: number, one: string])[] = [
  [24 * 60, 'day'],
  [60, 'hour'],
  [1, 'minute'],
]

/** "for 1 hour", "for 7 days", "without an end". */
export function formatMinutes(minutes: number | null): string {
  if (minutes === null) return 'without an end'
  const [size, one] = units.find(([each]) => minutes % each === 0) ?? [1, 'minute']
  const count = minutes / size
  return `for ${count} ${one}${count === 1 ? '' : 's'}`
}
