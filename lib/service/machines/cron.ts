/** Cron on any kind of machine: what is wanted is compared with what is there, and one crontab is written at a time. */

import { type Problem, problem } from '@/lib/contract/problem'
import type { Job } from '@/lib/crontab/line'
import {
  type Crontab,
  type CrontabText,
  hasJob,
  jobsOf,
  parseCrontab,
  placeOfJob,
  type ReadCrontab,
  renderCrontab,
  textOfJob,
  userOfLine,
  withLine,
  withoutLine,
} from './crontab'
import { type Cron, type JobList, MachineFailure } from './machine'
import { type RemovedText, recall, remember } from './removed-jobs'

/** What became of a crontab that was to be written. refused: cron's own words, and the place of the line they are about. */
export type Written = { kind: 'done' } | { kind: 'changed' } | { kind: 'refused'; why: string; place: number }

/** A crontab, empty where there is none, and what was kept of jobs that were taken out of it or others. */
export type Kept = { text: CrontabText; removed: RemovedText }

/** The crontabs of a machine. Throws MachineFailure where it cannot be asked. */
export type Crontabs = {
  /** Of every account that has one. */
  readAll(): Promise<ReadCrontab[]>
  /** Null where there is no such account. */
  read(user: string): Promise<Kept | null>
  /** Writes `after`, checked by cron itself, if the crontab `before` is still there. An empty one is taken away. */
  write(user: string, before: CrontabText, after: Kept): Promise<Written>
}

/** added: the place of the line that is new. taken: the place where one was taken out. */
type Edited = { crontab: Crontab; removed: RemovedText; added: number | null; taken: number | null }

/** A list of more jobs is cut: the answer has to stay readable. */
const maxJobs = 10_000

/** Somebody at work on the machine itself is waited for as often as this. */
const tries = 5

export function createCron(crontabs: Crontabs): Cron {
  /** `edit` answers null where nothing is to be changed. */
  const change = async (user: string, edit: (crontab: Crontab, removed: RemovedText) => Edited | null) => {
    for (let left = tries; left > 0; left--) {
      const before = await crontabs.read(user)
      if (before === null) throw noAccount(user)
      const edited = edit(parseCrontab(before.text), before.removed)
      if (edited === null) return
      const written = await crontabs.write(user, before.text, { text: renderCrontab(edited.crontab), removed: edited.removed })
      if (written.kind === 'refused') throw new MachineFailure(explainRefusal(written, edited, user))
      if (written.kind === 'done') return
    }
    throw new MachineFailure(problem('changed_meanwhile'))
  }
  return {
    list: async () => listJobs(await crontabs.readAll()),
    save: (user, job, before) => change(user, (crontab, removed) => addJob(user, crontab, removed, job, before)),
    async delete(line) {
      const user = userOfLine(line)
      if (user === null) throw gone()
      await change(user, (crontab, removed) => {
        const place = placeOfJob(user, crontab, line)
        if (place === null) throw gone()
        return { crontab: withoutLine(crontab, place), removed: remember(removed, user, crontab, place), added: null, taken: place }
      })
    },
  }
}

function listJobs(crontabs: readonly ReadCrontab[]): JobList {
  const all = crontabs.flatMap(({ user, text }) => jobsOf(user, parseCrontab(text)))
  const cut = new Set(all.slice(maxJobs).map(({ user }) => user))
  const partial = crontabs.filter(({ user, whole }) => !whole || cut.has(user)).map(({ user }) => user)
  return { jobs: all.slice(0, maxJobs), partial }
}

/** In front of the job that is named, else as the last line; one that was deleted here as it was written. Null where it is there already. */
function addJob(user: string, crontab: Crontab, removed: RemovedText, job: Job, before?: string): Edited | null {
  if (hasJob(crontab, job)) return null
  const named = before === undefined ? null : placeOfJob(user, crontab, before)
  if (before !== undefined && named === null) throw gone('The job that this one was to stand before')
  const known = recall(removed, user, crontab, job, named)
  const place = known?.place ?? named ?? crontab.lines.length
  return { crontab: withLine(crontab, known?.text ?? textOfJob(job), place), removed: known?.removed ?? removed, added: place, taken: null }
}

const gone = (what = 'This job') =>
  new MachineFailure(problem('changed_meanwhile', { sentence: `${what} is no longer there as you saw it. Look at the list again.` }))

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
function explainRefusal({ why, place }: { why: string; place: number }, { added, taken }: Edited, user: string): Problem {
  if (place === added) return problem('invalid', { fields: { [fieldByWord[why] ?? 'command']: `Cron does not take this: ${why}.` } })
  // Counted in the crontab as it stands, not in the one that was refused.
  const seen = place - (added !== null && added < place ? 1 : 0) + (taken !== null && taken <= place ? 1 : 0)
  const sentence = `Cron takes no change of ${user}’s crontab because of a line in it that is wrong: line ${seen + 1}, ${why}. Mend that first.`
  return problem('invalid', { sentence })
}
