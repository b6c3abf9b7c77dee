/** What a label may be called. */
import 'server-only'

/** So many labels fit on one server or site. */
export const maxLabels = 20

const maxLength = 32
const allowed = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ._:/+-]*$/u

/** What to tell somebody whose label was not taken. */
export const labelRefusal = 'Give 1 to 32 letters, digits, spaces or . _ : / + -, beginning with a letter or digit.'

/**
 * The label as it is kept: lower case, so that each word has one spelling, single spaces, composed letters. Null for
 * what is none.
 */
export function cleanLabel(text: string): string | null {
  if (text.length > 200) return null
  const name = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
  return [...name].length <= maxLength && allowed.test(name) ? name : null
}
