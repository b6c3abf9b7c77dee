/** The crontabs of a real machine, read as their bytes. */
import type { Kept } from '@/lib/service/machines/cron'
import type { CrontabText } from '@/lib/service/machines/crontab'
import { readScript } from '../script'

/** Of all accounts. */
export const crontabsScript = readScript(import.meta.url, 'read-crontab.bash', 'crontabs.bash')

/** Of one account, its value. */
export const crontabScript = readScript(import.meta.url, 'read-crontab.bash', 'crontab.bash')

/** What crontab.bash ends with where there is no such account, and where there is no cron. */
export const noSuchAccount = 67
export const noCron = 69

export function parseCrontabs(printed: string): { user: string; text: CrontabText }[] {
  return printed.split('\n').flatMap((line) => {
    const [user, text] = line.split('\t')
    return user && text !== undefined ? [{ user, text: decodeCrontab(text) }] : []
  })
}

/** Of one account: its crontab, and behind it what was kept of removed jobs. */
export function parseCrontabOf(printed: string): Kept {
  const [text = '', removed = ''] = printed.split('\n')
  return { text: decodeCrontab(text), removed: Buffer.from(removed, 'base64').toString('utf8') }
}

const decodeCrontab = (base64: string): CrontabText => Buffer.from(base64, 'base64').toString('latin1')
