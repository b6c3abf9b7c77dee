/** Cron on any kind of machine: what is wanted is compared with what is there, and one crontab is written at a time. */

import { type Problem, problem } from '@/lib/contract/problem'
import { type Crontab, type CrontabText, jobsOf, parseCrontab, renderCrontab, userOfLine, withJob, withoutJob } from './crontab'
import { type Cron, MachineFailure } from './machine'

/** What became of a crontab that was to be written. refused: cron's own words, and the place of the line they are about. */
export type Written = { kind: 'done' } | { kind: 'changed' } | { kind: 'refused'; why: string; place: number }

/** The crontabs of a machine. Throws MachineFailure where it cannot be asked. */
export type Crontabs = {
  /** Of every account that has one. */
  readAll(): Promise<{ user: string; text: CrontabText }[]>
  /** Empty where the account has none; null where there is no such account. */
  read(user: string): Promise<CrontabText | null>
  /** Writes `after`, checked by cron itself, if `before` is still there. An empty one is taken away. */
  write(user: string, before: CrontabText, after: CrontabText): Promise<Written>
}

/** Somebody at work on the machine itself is waited for as often as this. */
const tries = 5

export function createCron(crontabs: Crontabs): Cron {
  const change = async (user: string, edit: (crontab: Crontab) => Crontab) => {
    for (let left = tries; left > 0; left--) {
      const before = await crontabs.read(user)
      if (before === null) throw noAccount(user)
      const crontab = parseCrontab(before)
      const edited = edit(crontab)
      if (edited === crontab) return
      const written = await crontabs.write(user, before, renderCrontab(edited))
      if (written.kind === 'refused') throw new MachineFailure(explainRefusal(written, edited, user))
      if (written.kind === 'done') return
    }
    throw new MachineFailure(problem('changed_meanwhile'))
  }
  return {
    list: async () => (await crontabs.readAll()).flatMap(({ user, text }) => jobsOf(user, parseCrontab(text))),
    save: (user, job) => change(user, (crontab) => withJob(crontab, job)),
    async delete(line) {
      const user = userOfLine(line)
      if (user === null) throw gone()
      await change(user, (crontab) => withoutJob(user, crontab, line) ?? fail(gone()))
    },
  }
}

function fail(failure: MachineFailure): never {
  throw failure
}

const gone = () =>
  new MachineFailure(problem('changed_meanwhile', { sentence: 'This job is no longer there as you saw it. Look at the list again.' }))

const noAccount = (user: string) =>
  new MachineFailure(problem('invalid', { fields: { user: `There is no account ${user} on this server.` } }))

const fieldByWord: Readonly<Record<string, string>> = {
  'bad minute': 'minute',
  'bad hour': 'hour',
  'bad day-of-month': 'dom',
  'bad month': 'mon',
  'bad day-of-week': 'dow',
  'bad time specifier': 'minute',
}

/** Cron looks at the whole crontab: what it says may be about a line that stood there before. */
function explainRefusal({ why, place }: { why: string; place: number }, { lines }: Crontab, user: string): Problem {
  if (place === lines.length - 1)
    return problem('invalid', { fields: { [fieldByWord[why] ?? 'command']: `Cron does not take this: ${why}.` } })
  const sentence = `Cron takes no change of ${user}’s crontab because of a line in it that is wrong: line ${place + 1}, ${why}. Mend that first.`
  return problem('invalid', { sentence })
}
