/** Domain names of any script, for pages: as people read them, and in the ASCII form (punycode) that the DNS uses. ascii-domain.ts decides. */

import punycode from 'punycode.js'

const prefix = 'xn--'

/** Null for anything that is no punycode. */
function decodeLabel(encoded: string): string | null {
  try {
    return punycode.decode(encoded)
  } catch {
    return null
  }
}

/** A label of one script, or of the scripts that Japanese, Chinese and Korean mix. A mixture could imitate another name. */
const plainLabel = new RegExp(
  `^(?:${[
    ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Armenian', 'Georgian', 'Tamil'].map(
      (script) => `[\\p{Script=${script}}`,
    ),
    '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー',
    '[\\p{Script=Han}\\p{Script=Hangul}',
  ]
    .map((letters) => `${letters}\\p{M}0-9-]+`)
    .join('|')})$`,
  'u',
)

function readLabel(label: string): string {
  if (!label.startsWith(prefix)) return label
  const decoded = decodeLabel(label.slice(prefix.length))
  return decoded !== null && plainLabel.test(decoded) && toAsciiDomain(decoded) === label ? decoded : label
}

/** "xn--mnchen-3ya.de" → "münchen.de". Labels that could imitate others, or are no punycode, stay as they are. */
export const toReadableDomain = (domain: string): string => domain.toLowerCase().split('.').map(readLabel).join('.')

const hasPunycode = /^(?:[\p{L}\p{N}\p{M}.-]*\.)?xn--[\p{L}\p{N}\p{M}.-]+$/iu

/** The same for what may be no domain, such as the name of a server or a command: that stays as it is. */
export const toReadableName = (name: string): string => (hasPunycode.test(name) ? toReadableDomain(name) : name)

/** "München.de" → "xn--mnchen-3ya.de". Null for text that is no domain name. */
export function toAsciiDomain(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  // A URL reads numbers as an address, and everything after these characters as another part.
  if (text === '' || text.length > 253 || /[\s/\\?#@:%[\]]/.test(text)) return null
  if (/^[a-z0-9.-]+$/.test(text)) return text
  try {
    return new URL(`http://${text}`).hostname
  } catch {
    return null
  }
}
