/** Form actions for cron jobs. */
import 'server-only'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import type { CronJob } from './job'
import { removeJob, replaceJob } from './remove'
import { saveJob } from './save'

/** Reads a job from a form's fields, named `prefix` plus the name in the interface. */
function readJob(field: OwnInput['field'], prefix = ''): CronJob {
  const of = (name: string) => field(`${prefix}${name}`)
  const times = { minute: of('minute'), hour: of('hour'), dom: of('dom'), mon: of('mon'), dow: of('dow') }
  return { line: of('line'), user: of('user'), command: of('command'), ...times }
}

const changeOf = ({ requestId, field }: OwnInput) => ({ requestId, serverId: field('serverId') })

/** The action that adds a job. Reads `serverId` and the job's fields. */
export const saveJobAction = () => ownAction('cron.save', async (input) => saveJob(input.actor, changeOf(input), readJob(input.field)))

/** The action that deletes a job. Reads `serverId` and all members of the job as the user saw it. */
export const removeJobAction = () =>
  ownAction('cron.delete', async (input) => removeJob(input.actor, changeOf(input), readJob(input.field)))

/** The action that edits a job. Reads `serverId`, the new job's fields, and the old job's after `old.`, including its line. */
export const replaceJobAction = () =>
  ownAction('cron.replace', async (input) => replaceJob(input.actor, changeOf(input), readJob(input.field, 'old.'), readJob(input.field)))
