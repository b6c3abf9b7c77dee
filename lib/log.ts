/** The log: one JSON line per event on standard output, with all possible secrets removed. */
import { pino } from 'pino'
import { encodeLogLine } from './log-line'
import { getSettings } from './settings/settings'

const struckOut = ['key', 'apiKey', 'pass', 'password', 'token', 'secret', 'authorization', 'cookie', 'privateKey']

/** With invalid settings the program ends, once it has been loaded and can say so in one line. */
function readLevel(): string {
  try {
    return getSettings().logLevel
  } catch {
    return 'info'
  }
}

export const log = pino({
  level: readLevel(),
  base: null,
  hooks: { streamWrite: encodeLogLine },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: struckOut.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
})
