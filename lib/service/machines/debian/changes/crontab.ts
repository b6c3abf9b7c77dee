/** Writes a crontab of a real server. */
import type { Written } from '@/lib/service/machines/cron'
import { type CrontabText, endsInRefusedTimes, parseCrontab } from '@/lib/service/machines/crontab'
import { readScript } from '../script'

export const writeCrontabScript = readScript('changes/crontab.bash')

/** Exit codes: the crontab has changed since it was read; cron refused the new one. */
export const changedMeanwhile = 75
export const refusedByCron = 65

export const encodeCrontab = (text: CrontabText): string => Buffer.from(text, 'latin1').toString('base64')

/**
 * Cron's complaint about the crontab `text`: `"-":2: bad minute`, lines counted from 0. If cron had already read the line to its end,
 * as when fields are missing or a command is too long, the number is that of the next line.
 */
export function parseComplaint(said: string, text: CrontabText): Extract<Written, { kind: 'refused' }> | null {
  const match = /^"-":(\d{1,9}): ([a-z][a-z -]{1,60})$/m.exec(said)
  if (!match) return null
  const [, line = '0', why = ''] = match
  const before = parseCrontab(text).lines[Number(line) - 1]
  const isNext = before !== undefined && (why === 'command too long' || endsInRefusedTimes(before.text))
  return { kind: 'refused', why, place: Number(line) - (isNext ? 1 : 0) }
}
