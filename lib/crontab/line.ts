/** One line of a crontab that is a job, and the job it stands for. Reading and writing are inverse. */
import { cronCommand } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { formatTimes, isNickname, type Times } from './times'

/** command: what the shell is given. A line break in it is where cron goes over to the command's standard input. */
export type Job = Times & { command: string }

// Only spaces and tabs part the fields, whatever else Unicode calls a space.
const setting = /^[ \t]*(?:"[^"]*"|'[^']*'|[^ \t="'][^ \t=]*)[ \t]*=/
const named = /^[ \t]*(@[^ \t]+)[ \t]+([^ \t].*)$/s
const timed = /^[ \t]*([^ \t#][^ \t]*)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t]+)[ \t]+([^ \t].*)$/s

/** Whether a line is a comment, a setting or empty. */
export const isPassedOver = (line: string): boolean => /^[ \t]*(#|$)/.test(line) || setting.test(line)

/**
 * The job of a line (without its line feed); null for a comment, a setting, an empty line or what cron would not understand. A
 * carriage return at its end belongs to the end of the line, not to the command.
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

/** The line of a job, without a line feed. Its command has to be one that commandRefusal has nothing against. */
export function writeLine(job: Job): string {
  return `${formatTimes(job)} ${writeCommand(job.command)}`
}

/** As cron reads it: `\%` is a percent sign, a bare one ends the line. Any other backslash is the shell's. */
function readCommand(text: string): string {
  return text.replace(/\\?./gs, (part) => (part === '%' ? '\n' : part === '\\%' ? '%' : part))
}

const writeCommand = (command: string): string => command.replace(/^[ \t]+/, '').replaceAll('%', '\\%')

/** Why cron could not hand this command to the shell as it was typed; null when it can. */
export function commandRefusal(command: string): string | null {
  if (command.trim() === '') return 'Give the command to run.'
  if (/[\r\n]/.test(command)) return 'A command is one line. Join several by && or ;, or put them into a script.'
  // A tab is no more than a space to the shell.
  if (/[^\P{Cc}\t]/u.test(command)) return 'A command is plain text: this one has a control character in it.'
  if (/(?<!\\)(?:\\\\)*\\%/.test(command)) return 'Write % without a backslash: it reaches the command as it is typed here.'
  return limitRefusal(cronCommand, writeCommand(command))
}

/** Whether a job that was listed could be saved as it is: a command with lines of input, or one that is no text, cannot. */
export const canBeSaved = ({ command }: Pick<Job, 'command'>): boolean => !/[\n\r\ufffd]/.test(command)

/** Whether the times and the command survive being written and read: nothing in them passes for something else. */
export function isWritable(job: Job): boolean {
  const read = readLine(writeLine(job))
  const same = read !== null && formatTimes(read) === formatTimes(job) && isNickname(read) === isNickname(job)
  return same && read.command === job.command.replace(/^[ \t]+/, '')
}
