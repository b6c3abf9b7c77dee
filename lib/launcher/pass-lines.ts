/** Passes on a child's output as one JSON object per line: its log lines unchanged, other output wrapped. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type LineLog = { info(details: object, line: string): void; error(details: object, line: string): void }

/** Log lines pass unchanged; empty ones are dropped; all others go to `wrap` without their colours. */
export function passLines(stream: Readable, wrap: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (line.startsWith('{"level":')) process.stdout.write(`${line}\n`)
    else if (line.trim() !== '') wrap(withoutColours(line.trim()))
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour.
const withoutColours = (line: string): string => line.replace(/\x1b\[[0-9;]*m/g, '')
