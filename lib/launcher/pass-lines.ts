/** What a child prints, so that each line on our standard output is one JSON object: its own log as it is, the rest wrapped. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type LineLog = { info(details: object, line: string): void; error(details: object, line: string): void }

/** Lines of the log pass unchanged; empty ones are left out; every other is handed to `wrap` without its colours. */
export function passLines(stream: Readable, wrap: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (line.startsWith('{"level":')) process.stdout.write(`${line}\n`)
    else if (line.trim() !== '') wrap(withoutColours(line.trim()))
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour.
const withoutColours = (line: string): string => line.replace(/\x1b\[[0-9;]*m/g, '')
