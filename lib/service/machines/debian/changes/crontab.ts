/** Writing a crontab of a real machine. */
import type { Written } from '@/lib/service/machines/cron'
import type { CrontabText } from '@/lib/service/machines/crontab'
import { readScript } from '../script'

export const writeCrontabScript = readScript(import.meta.url, '../facts/read-crontab.bash', 'crontab.bash')

/** What the script ends with where something else was there, and where cron refused. */
export const changedMeanwhile = 75
export const refusedByCron = 65

export const encodeCrontab = (text: CrontabText): string => Buffer.from(text, 'latin1').toString('base64')

/** Cron's complaint: `"-":2: bad minute`, lines counted from 0. That a command is too long it finds out one line further on. */
export function parseComplaint(said: string): Extract<Written, { kind: 'refused' }> | null {
  const match = /^"-":(\d{1,9}): ([a-z][a-z -]{1,60})$/m.exec(said)
  if (!match) return null
  const [, line = '0', why = ''] = match
  return { kind: 'refused', why, place: Number(line) - (why === 'command too long' ? 1 : 0) }
}
