/** Cron of a sandbox server: crontabs as text, checked as cron would. */
import { commandRefusal } from '@/lib/crontab/line'
import { timesRefusals } from '@/lib/crontab/schedule'
import type { TimeName } from '@/lib/crontab/times'
import { createCron, type Written } from '../cron'
import { type CrontabText, parseCrontab } from '../crontab'
import type { Cron } from '../machine'
import type { SandboxModel } from './model'

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxCron(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>): Cron {
  return createCron({
    readAll: () => visit(({ crontabs }) => Object.entries(crontabs).map(([user, text]) => ({ user, text, whole: true }))),
    read: (user) =>
      visit(({ users, crontabs, removedJobs }) => (users.includes(user) ? { text: textOf(crontabs, user), removed: removedJobs } : null)),
    write: (user, before, after) =>
      visit((machine) => {
        const written = write(machine.crontabs, user, before, after.text)
        if (written.kind === 'done') machine.removedJobs = after.removed
        return written
      }),
  })
}

const textOf = (crontabs: SandboxModel['crontabs'], user: string): CrontabText =>
  Object.hasOwn(crontabs, user) ? (crontabs[user] ?? '') : ''

function write(crontabs: SandboxModel['crontabs'], user: string, before: CrontabText, after: CrontabText): Written {
  if (textOf(crontabs, user) !== before) return { kind: 'changed' }
  const refused = findFault(after)
  if (refused) return refused
  if (after === '') delete crontabs[user]
  else crontabs[user] = after
  return { kind: 'done' }
}

const words: Record<TimeName, string> = { minute: 'minute', hour: 'hour', dom: 'day-of-month', mon: 'month', dow: 'day-of-week' }

function findFault(text: CrontabText): Written | null {
  for (const [place, { job }] of parseCrontab(text).lines.entries()) {
    if (job === null) continue
    const [time] = Object.keys(timesRefusals(job)) as TimeName[]
    if (time) return { kind: 'refused', place, why: job.minute.startsWith('@') ? 'bad time specifier' : `bad ${words[time]}` }
    if (commandRefusal(job.command) !== null) return { kind: 'refused', place, why: 'bad command' }
  }
  return null
}
