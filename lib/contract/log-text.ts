/** Makes the text of a log safe to show: keeps colours, and replaces everything else that a terminal or browser would interpret. */

const escapeSign = String.fromCharCode(0x1b)

/** A terminal's codes for colours and weights: ESC [ numbers m. */
export const colour = new RegExp(`${escapeSign}\\[[\\d;:]{0,32}m`, 'g')

/** Control characters except tab and line feed; bidirectional controls; line separators other than line feed. */
const harmful = /[^\P{Cc}\t\n]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The symbol for a control character: Unicode has one for each in ASCII; others become the replacement character. */
function picture(sign: string): string {
  const code = sign.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** The same lines, separated by line feeds. */
export function harmlessLog(text: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  let from = 0
  let clean = ''
  for (const match of lines.matchAll(colour)) {
    clean += lines.slice(from, match.index).replace(harmful, picture) + match[0]
    from = match.index + match[0].length
  }
  return clean + lines.slice(from).replace(harmful, picture)
}
