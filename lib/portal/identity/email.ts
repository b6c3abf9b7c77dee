/** Email addresses in the one form in which they are stored, compared and counted. */
import 'server-only'

const address = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** NFKC, trimmed, lower case: variants of one address become one text, whether or not it is an address. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/**
 * The address in its stored form, or null for odd ones: longer than 254 characters, not plain ASCII after normalisation, or with an @
 * that was another character before (a full-width ＠ must not turn one address into another).
 */
export function parseEmail(text: string): string | null {
  const normal = normaliseEmail(text)
  if (normal.length > 254 || !address.test(normal)) return null
  return text.split('@').length === 2 ? normal : null
}
