/** Converts email addresses to the one form in which they are stored, compared and counted. */
import 'server-only'
import { problem } from '@/lib/contract/problem'

const address = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** NFKC, trimmed, lower case: all spellings of an address become one text, whether or not it is valid. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/**
 * The address in its stored form; null if it is longer than 254 characters, not plain ASCII after normalisation, or contains an @ that
 * was another character before (a full-width ＠ must not turn one address into another).
 */
export function parseEmail(text: string): string | null {
  const normal = normaliseEmail(text)
  if (normal.length > 254 || !address.test(normal)) return null
  return text.split('@').length === 2 ? normal : null
}

export const invalidEmail = 'Enter an email address such as you@example.org.'

/** Refuses a form because of its field `email`. */
export const refuseEmail = (why: string) => ({ ok: false, problem: problem('invalid', { fields: { email: why } }) }) as const
