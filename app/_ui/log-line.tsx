'use client'

import { clsx } from 'clsx'
import { Fragment, type ReactNode } from 'react'

// The colours a terminal would show in a line, as pieces of text, never markup.

const escapeSign = String.fromCharCode(0x1b)

/** ESC [ numbers m: the only control sequence that reaches this code. */
const colour = new RegExp(`${escapeSign}\\[([\\d;:]*)m`, 'g')

type AnsiPiece = { text: string; className: string }

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

export type LogLine = {
  number: number | null
  text: string
  tone?: 'danger' | 'step' | 'left-out'
  /** Lines may be missing before this one. */
  gap?: boolean
}

type LogLineRowProps = {
  line: LogLine
  wrap: boolean
  /** Highlighted wherever it occurs. */
  search: string
  /** The line that is the current match. */
  current: boolean
  /** The number of digits of the widest number. */
  digits: number
  onLink?: ((line: LogLine) => void) | undefined
}

/** One line of a log with its number, which links to the line if a link is given. */
export function LogLineRow({ line, wrap, search, current, digits, onLink }: LogLineRowProps) {
  const { number, text, tone, gap } = line
  const numbered = clsx('shrink-0 text-right select-none max-tablet:hidden', tone !== 'danger' && !current && 'text-terminal-muted')
  const width = { width: `${Math.max(4, digits)}ch` }
  return (
    <>
      {gap ? (
        <p className="border-y border-dashed border-terminal-yellow/50 px-3.5 py-0.5 text-terminal-yellow">
          Lines may be missing here: the log grew faster than it could be read.
        </p>
      ) : null}
      <div
        data-current={current || undefined}
        className={clsx(
          'flex gap-3 px-3.5',
          !wrap && 'w-max min-w-full',
          current && 'bg-terminal-cyan/20',
          tone === 'danger' && 'bg-terminal-red/15 text-terminal-red',
          tone === 'step' && 'font-semibold text-terminal-cyan',
          tone === 'left-out' && 'border-y border-dashed border-terminal-yellow/50 text-terminal-yellow',
        )}
      >
        {onLink && number !== null ? (
          <button
            type="button"
            // Not a tab stop: the button above the log serves the keyboard, and a tab stop for each line would be far too many.
            tabIndex={-1}
            aria-label={`Copy a link to line ${number}`}
            onClick={() => onLink(line)}
            style={width}
            className={clsx(numbered, 'hover:text-terminal-ink')}
          >
            {number}
          </button>
        ) : (
          <span aria-hidden style={width} className={numbered}>
            {number}
          </span>
        )}
        <span className={clsx('min-w-0 flex-1', wrap ? 'break-words whitespace-pre-wrap' : 'whitespace-pre')}>
          {showText(text, search)}
        </span>
      </div>
    </>
  )
}

function showText(text: string, search: string): ReactNode {
  if (text === '') return ' '
  return readAnsi(text).map((piece, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other id
    <span key={place} className={piece.className || undefined}>
      {markWords(piece.text, search)}
    </span>
  ))
}

/** Highlights the search text; a match across two colours is counted but not highlighted. */
function markWords(text: string, search: string): ReactNode {
  const wanted = search.toLowerCase()
  const lower = text.toLowerCase()
  if (wanted === '' || lower.length !== text.length || !lower.includes(wanted)) return text
  const parts: ReactNode[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark className="bg-terminal-yellow text-terminal">{text.slice(at, at + wanted.length)}</mark>)
    from = at + wanted.length
  }
  parts.push(text.slice(from))
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one piece have no other id
  return parts.map((part, place) => <Fragment key={place}>{part}</Fragment>)
}
