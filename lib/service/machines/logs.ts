/** The logs of a machine: a closed list of names, and how much of one is told. */
import { type Problem, problem } from '@/lib/contract/problem'

/** In the order in which they are offered. */
export const logNames = [
  'auth',
  'journal',
  'apache_access',
  'apache_error',
  'php',
  'mysql',
  'mail',
  'firewall',
  'fail2ban',
  'install',
] as const

/** What is told of a log: its last part. */
export const maxLogBytes = 256 * 1024

const siteLog = /^site:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}):(access|error)$/

/** Whether it is a name of ours; whether a machine has that log is the machine's to say. */
export function isLogName(name: string): boolean {
  return (logNames as readonly string[]).includes(name) || (name.length <= 280 && siteLog.test(name))
}

/** Its last part, beginning with a whole line. One line that is longer than all of it is told as far as it fits. */
export function lastPart(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length < maxLogBytes) return text
  const last = bytes.subarray(-maxLogBytes).toString('utf8')
  const end = last.indexOf('\n')
  return end < 0 || end === last.length - 1 ? last : last.slice(end + 1)
}

/** What a machine without that log answers. */
export const noSuchLog = (name: string): Problem =>
  problem('not_installed', { sentence: `This server keeps no log of the name ${name}: what would write it is not there.` })

/** What a machine answers whose log is a file that is none of its logs. */
export function unreadLog(name: string, why: string): Problem {
  const sentence = `The log ${name} is not read: ${why}.`
  return problem('invalid', { sentence, fields: { log: sentence } })
}
