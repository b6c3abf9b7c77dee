/** Dates and times in form fields, in one format for all browsers and languages: 2026-11-28, 14:05 and 2026-11-28 14:05. */

export type TimeKind = 'date' | 'time' | 'moment'

/** The texts of a field of each kind. `pattern` is checked by the browser before the page's scripts run. */
export const timeKinds: Readonly<Record<TimeKind, { placeholder: string; pattern: string; refusal: string }>> = {
  date: { placeholder: 'YYYY-MM-DD', pattern: '\\d{4}-\\d{2}-\\d{2}', refusal: 'Enter a date such as 2026-11-28.' },
  time: { placeholder: 'HH:MM', pattern: '\\d{2}:\\d{2}', refusal: 'Enter a time such as 14:05.' },
  moment: {
    placeholder: 'YYYY-MM-DD HH:MM',
    pattern: '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}',
    refusal: 'Enter a date and a time such as 2026-11-28 14:05.',
  },
}

/**
 * Normalises what was typed; null if it is no date or time. Accepts 28.11.2026, 2026/11/28, 9:05 and a T before the time as well, but not
 * 11/28/2026, which other countries read as day and month.
 */
export function parseTyped(kind: TimeKind, typed: string): string | null {
  const text = typed.trim()
  if (kind === 'date') return parseDate(text)
  if (kind === 'time') return parseTime(text)
  const [, first, second] = /^(.+?)(?:T|,?\s+)([\d:.]+)$/.exec(text) ?? []
  const [date, time] = [parseDate(first ?? ''), parseTime(second ?? '')]
  return date !== null && time !== null ? `${date} ${time}` : null
}

function parseDate(text: string): string | null {
  const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/.exec(text)
  const dayFirst = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text)
  const [year, month, day] = yearFirst ? [yearFirst[1], yearFirst[3], yearFirst[4]] : [dayFirst?.[3], dayFirst?.[2], dayFirst?.[1]]
  if (year === undefined || month === undefined || day === undefined) return null
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = Date.parse(`${date}T00:00:00Z`)
  // Excludes dates such as 31 February, which Date would turn into a day of March.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(date) ? date : null
}

function parseTime(text: string): string | null {
  const [, hours, minutes] = /^(\d{1,2})[:.](\d{2})$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}
