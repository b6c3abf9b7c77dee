/** CSV lines according to RFC 4180, safe to open in a spreadsheet whatever the cells contain. */
import { showBidiControls } from './bidi'

// Some spreadsheets also accept full-width and small forms.
const formulaStart = /^[\s\p{Cf}\p{Cc}"']*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/u

// Characters at which a program with another separator, or without support for quotes, would begin a new cell.
const otherSeparators = /([;|\t\r\n]+)/

// Control characters other than tab and line ends, at which some readers stop.
const unreadable = /[^\P{Cc}\t\r\n]/gu

/** One line with its CRLF. */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

/** A leading apostrophe turns a cell that a spreadsheet would evaluate as a formula into text. */
function formatCell(text: string): string {
  const readable = showBidiControls(text).replace(unreadable, '\ufffd')
  const pieces = readable.split(otherSeparators).map((piece) => (formulaStart.test(piece) ? `'${piece}` : piece))
  const harmless = `${/^[\t\r\n]/.test(readable) ? "'" : ''}${pieces.join('')}`
  return /[",;|'\t\r\n]|^[\s\p{Cf}]|[\s\p{Cf}]$/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
