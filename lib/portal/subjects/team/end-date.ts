/** The last day of a membership, as forms send it. */
import 'server-only'

/**
 * The end of a day given as 2026-11-27, in UTC; null for an empty text. A sentence if it is not a day, or over, or more than ten years
 * away.
 */
export function parseEndDate(text: string): { endsAt: Date | null } | { refusal: string } {
  if (text === '') return { endsAt: null }
  const endsAt = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T23:59:59.999Z`) : null
  if (!endsAt || Number.isNaN(endsAt.getTime()) || !endsAt.toISOString().startsWith(text))
    return { refusal: 'Enter a date such as 2026-11-28.' }
  if (endsAt.getTime() <= Date.now()) return { refusal: 'Choose a day that is not over yet.' }
  return endsAt.getTime() > Date.now() + maxMs ? { refusal: 'Choose a day within the next ten years.' } : { endsAt }
}

const maxMs = 10 * 366 * 24 * 60 * 60_000

/** For the audit log and its sentences: 2026-11-27. */
export const formatEndDate = (endsAt: Date | null): string | undefined => endsAt?.toISOString().slice(0, 10)
