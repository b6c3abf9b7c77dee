/** A crontab line that is a job. Parsing and rendering are inverse. */
import { cronCommand } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { formatTimes, isNickname, type Times } from './times'

/** command: the text that the shell receives. The command's standard input follows after a line break. */
export type Job = Times & { command: string }

// Only spaces and tabs separate fields, not other Unicode spaces.
const setting = /^[ \t]*(?:"[^"]*"|'[^']*'|[^ \t="'][^ \t=]*)[ \t]*=/
const named = /^[ \t]*(@[^ \t]+)[ \t]+([^ \t].*)$/s
const timed = /^[ \t]*([^ \t#][^ \t]*)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t].*)$/s

/** Whether a line is a comment, a setting or empty. */
export const isPassedOver = (line: string): boolean => /^[ \t]*(#|$)/.test(line) || setting.test(line)

/**
 * The job of a line (without its line feed); null for a comment, a setting, an empty line, or one that cron would not accept. A
 * trailing carriage return belongs to the end of the line, not to the command.
 */
export function readLine(text: string): Job | null {
  const line = text.replace(/\r$/, '')
  if (setting.test(line)) return null
  const nickname = named.exec(line)
  if (nickname) {
    const [, minute = '', command = ''] = nickname
    return { minute, hour: '', dom: '', mon: '', dow: '', command: readCommand(command) }
  }
  const fields = timed.exec(line)
  if (!fields) return null
  const [, minute = '', hour = '', dom = '', mon = '', dow = '', command = ''] = fields
  return { minute, hour, dom, mon, dow, command: readCommand(command) }
}

/** The line of a job, without a line feed. commandRefusal must accept its command. */
export function writeLine(job: Job): string {
  return `${formatTimes(job)} ${writeCommand(job.command)}`
}

/** As cron reads it: `\%` is a percent sign, and a bare one ends the line. Other backslashes are left to the shell. */
function readCommand(text: string): string {
  return text.replace(/\\?./gs, (part) => (part === '%' ? '\n' : part === '\\%' ? '%' : part))
}

const writeCommand = (command: string): string => command.replace(/^[ \t]+/, '').replaceAll('%', '\\%')

/** Why cron could not pass this command to the shell as typed; null if it can. */
export function commandRefusal(command: string): string | null {
  if (command.trim() === '') return 'Enter the command to run.'
  if (/[\r\n]/.test(command)) return 'A command is a single line. Join several with && or ;, or use a script.'
  // The shell treats a tab like a space.
  if (/[^\P{Cc}\t]/u.test(command)) return 'The command contains a control character. Remove it.'
  if (/(?<!\\)(?:\\\\)*\\%/.test(command)) return 'Write % without a backslash: it is escaped for you.'
  return limitRefusal(cronCommand, writeCommand(command))
}

/** Whether a listed job can be saved again unchanged: not if its command has input lines or invalid text. */
export const canBeSaved = ({ command }: Pick<Job, 'command'>): boolean => !/[\n\r\ufffd]/.test(command)

/** Whether times and command survive rendering and parsing unchanged. */
export function isWritable(job: Job): boolean {
  const read = readLine(writeLine(job))
  const same = read !== null && formatTimes(read) === formatTimes(job) && isNickname(read) === isNickname(job)
  return same && read.command === job.command.replace(/^[ \t]+/, '')
}
