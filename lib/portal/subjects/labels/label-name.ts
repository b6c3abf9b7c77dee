/** Which label names are allowed. */
import 'server-only'

/** The maximum number of labels on a server or site. */
export const maxLabels = 20

const maxLength = 32
const allowed = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ._:/+-]*$/u

/** The message for a refused label. */
export const labelRefusal = 'Enter 1 to 32 letters, digits, spaces or . _ : / + -, starting with a letter or digit.'

/**
 * The label as stored: lower case, so that each word has one spelling, with single spaces and composed letters. Null if it is not
 * allowed.
 */
export function cleanLabel(text: string): string | null {
  if (text.length > 200) return null
  const name = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
  return [...name].length <= maxLength && allowed.test(name) ? name : null
}
