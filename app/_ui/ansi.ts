/** The colours a terminal would show in a line, as pieces of text, never markup. */

const escapeSign = String.fromCharCode(0x1b)

/** ESC [ numbers m: the only control sequence that reaches this code. */
const colour = new RegExp(`${escapeSign}\\[([\\d;:]*)m`, 'g')

export type AnsiPiece = { text: string; className: string }

const inks: Readonly<Record<number, string>> = {
  0: 'text-terminal-muted',
  1: 'text-terminal-red',
  2: 'text-terminal-green',
  3: 'text-terminal-yellow',
  4: 'text-terminal-blue',
  5: 'text-terminal-magenta',
  6: 'text-terminal-cyan',
}

type Style = { ink: string; bold: boolean }

const plain: Style = { ink: '', bold: false }

/** Each line begins without colour, whatever the previous one ended with. */
export function readAnsi(line: string): AnsiPiece[] {
  const pieces: AnsiPiece[] = []
  let style = plain
  let from = 0
  const take = (to: number) => {
    const className = `${style.ink}${style.bold ? ' font-semibold' : ''}`.trim()
    if (to > from) pieces.push({ text: line.slice(from, to), className })
  }
  for (const match of line.matchAll(colour)) {
    take(match.index)
    style = applyCodes(style, match[1] ?? '')
    from = match.index + match[0].length
  }
  take(line.length)
  return pieces
}

export const withoutAnsi = (line: string): string => (line.includes(escapeSign) ? line.replace(colour, '') : line)

function applyCodes(before: Style, codes: string): Style {
  let style = before
  const numbers = codes.split(/[;:]/).map(Number)
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0
    // 256-colour and true-colour codes are skipped; the text keeps its colour.
    if (code === 38 || code === 48) at += numbers[at + 1] === 2 ? 4 : 2
    else style = applyCode(style, code)
  }
  return style
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return plain
  if (code === 1 || code === 22) return { ...style, bold: code === 1 }
  const ink = code >= 90 ? code - 90 : code - 30
  if (code === 39 || ((code >= 30 || code >= 90) && ink === 7)) return { ...style, ink: '' }
  return code >= 30 && inks[ink] !== undefined ? { ...style, ink: inks[ink] } : style
}
