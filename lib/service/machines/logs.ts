/** The logs of a server: a fixed list of names, and how much of a log is returned. */
import { type Problem, problem } from '@/lib/contract/problem'

/** In display order. */
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

/** How much of a log is returned: its last part. */
export const maxLogBytes = 256 * 1024

const siteLog = /^site:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}):(access|error)$/

/** Whether the name is valid; only the server knows whether that log exists. */
export function isLogName(name: string): boolean {
  return (logNames as readonly string[]).includes(name) || (name.length <= 280 && siteLog.test(name))
}

/** Clients may name a log by its file in /var/log. A server may keep it elsewhere. */
const logFiles: Readonly<Record<string, (typeof logNames)[number]>> = {
  'auth.log': 'auth',
  'apache2/access.log': 'apache_access',
  'apache2/error.log': 'apache_error',
  'mysql/error.log': 'mysql',
  'mail.log': 'mail',
  'ufw.log': 'firewall',
  'fail2ban.log': 'fail2ban',
}

/** The name of a log for the name of its file, with or without its folder; any other text as it is. */
export function readLogName(given: string): string {
  const file = given.replace(/^\/var\/log\//, '')
  return Object.hasOwn(logFiles, file) ? (logFiles[file] ?? given) : given
}

/** The last part, beginning with a complete line. A single line that is longer is cut to fit. */
export function lastPart(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length < maxLogBytes) return text
  const last = bytes.subarray(-maxLogBytes).toString('utf8')
  const end = last.indexOf('\n')
  return end < 0 || end === last.length - 1 ? last : last.slice(end + 1)
}

/** The problem for a log that the server does not have. */
export const noSuchLog = (name: string): Problem =>
  problem('not_installed', { sentence: `This server has no log named ${name}: the program that would write it is not installed.` })

/** The problem for a log that links to a file outside the log folder. */
export function unreadLog(name: string, why: string): Problem {
  const sentence = `The log ${name} cannot be read: ${why}.`
  return problem('invalid', { sentence, fields: { log: sentence } })
}
