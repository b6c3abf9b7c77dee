/** The crontabs of a real server, read as bytes. */
import type { Kept } from '@/lib/service/machines/cron'
import type { CrontabText, ReadCrontab } from '@/lib/service/machines/crontab'
import { readScript } from '../script'

/** Of all system users. */
export const crontabsScript = readScript('facts/crontabs.bash')

/** Of one system user, whose name is its value. */
export const crontabScript = readScript('facts/crontab.bash')

/** The exit codes of crontab.bash: no such system user, no cron, crontab too large to be read completely. */
export const noSuchAccount = 67
export const noCron = 69
export const tooLargeCrontab = 70

/** A truncated one ends with its last complete line. */
export function parseCrontabs(printed: string): ReadCrontab[] {
  return printed.split('\n').flatMap((line) => {
    const [user, base64, cut] = line.split('\t')
    if (!user || base64 === undefined) return []
    const text = decodeCrontab(base64)
    const whole = cut === undefined
    return [{ user, text: whole ? text : text.slice(0, text.lastIndexOf('\n') + 1), whole }]
  })
}

/** One system user's crontab, and the stored copies of deleted jobs. */
export function parseCrontabOf(printed: string): Kept {
  const [text = '', removed = ''] = printed.split('\n')
  return { text: decodeCrontab(text), removed: Buffer.from(removed, 'base64').toString('utf8') }
}

const decodeCrontab = (base64: string): CrontabText => Buffer.from(base64, 'base64').toString('latin1')
