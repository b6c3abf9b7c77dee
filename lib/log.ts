/** The log: one JSON line per event on standard output, with all possible secrets removed. */
import { pino } from 'pino'
import { encodeLogLine } from './log-line'
import { getSettings } from './settings/settings'

const struckOut = ['key', 'apiKey', 'pass', 'password', 'token', 'secret', 'authorization', 'cookie', 'privateKey']

export const log = pino({
  level: getSettings().logLevel,
  base: null,
  hooks: { streamWrite: encodeLogLine },
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: struckOut.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
})
