/** Cron on any provider: compares the wanted state with the present one, and writes one crontab at a time. */

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

/** The result of writing a crontab. refused: cron's own message, and the line number it concerns. */
export type Written = { kind: 'done' } | { kind: 'changed' } | { kind: 'refused'; why: string; place: number }

/** A crontab, empty if there is none, and the stored copies of deleted jobs. */
export type Kept = { text: CrontabText; removed: RemovedText }

/** A server's crontabs. Throws MachineFailure if the server cannot be reached. */
export type Crontabs = {
  /** Of every system user that has one. */
  readAll(): Promise<ReadCrontab[]>
  /** Null if there is no such system user. */
  read(user: string): Promise<Kept | null>
  /** Writes `after`, checked by cron itself, if the crontab is still `before`. An empty one is deleted. */
  write(user: string, before: CrontabText, after: Kept): Promise<Written>
}

/** added: the index of the new line. taken: the index where one was deleted. */
type Edited = { crontab: Crontab; removed: RemovedText; added: number | null; taken: number | null }

/** A longer list is truncated, so that the response stays small enough to use. */
const maxJobs = 10_000

/** How often to retry while someone is editing on the server itself. */
const tries = 5

export function createCron(crontabs: Crontabs): Cron {
  /** `edit` returns null if nothing is to be changed. */
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

/**
 * Adds the job before the named one, else at the end; a job deleted here is restored as it was written. Null if it already
 * exists.
 */
function addJob(user: string, crontab: Crontab, removed: RemovedText, job: Job, before?: string): Edited | null {
  if (hasJob(crontab, job)) return null
  const named = before === undefined ? null : placeOfJob(user, crontab, before)
  if (before !== undefined && named === null) throw gone('The job that this one should come before')
  const known = recall(removed, user, crontab, job, named)
  const place = known?.place ?? named ?? crontab.lines.length
  return { crontab: withLine(crontab, known?.text ?? textOfJob(job), place), removed: known?.removed ?? removed, added: place, taken: null }
}

const gone = (what = 'This job') =>
  new MachineFailure(problem('changed_meanwhile', { sentence: `${what} has changed or was deleted in the meantime. Reload the list.` }))

const noAccount = (user: string) => new MachineFailure(problem('invalid', { fields: { user: `There is no user ${user} on this server.` } }))

const fieldByWord: Readonly<Record<string, string>> = {
  'bad minute': 'minute',
  'bad hour': 'hour',
  'bad day-of-month': 'dom',
  'bad month': 'mon',
  'bad day-of-week': 'dow',
  'bad time specifier': 'minute',
}

/** Cron checks the whole crontab, so its message may concern a line that was there before. */
function explainRefusal({ why, place }: { why: string; place: number }, { added, taken }: Edited, user: string): Problem {
  if (place === added) return problem('invalid', { fields: { [fieldByWord[why] ?? 'command']: `Cron rejects this: ${why}.` } })
  // Counted in the present crontab, not in the refused one.
  const seen = place - (added !== null && added < place ? 1 : 0) + (taken !== null && taken <= place ? 1 : 0)
  const sentence = `Cron rejects every change of ${user}’s crontab because of an invalid line: line ${seen + 1}, ${why}. Fix that first.`
  return problem('invalid', { sentence })
}
