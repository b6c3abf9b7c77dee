/** Forms about cron jobs. */
import 'server-only'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import type { CronJob } from './job'
import { removeJob, replaceJob } from './remove'
import { saveJob } from './save'

/** A job from the fields of a form, each named as in the interface after `prefix`. */
function readJob(field: OwnInput['field'], prefix = ''): CronJob {
  const of = (name: string) => field(`${prefix}${name}`)
  const times = { minute: of('minute'), hour: of('hour'), dom: of('dom'), mon: of('mon'), dow: of('dow') }
  return { line: of('line'), user: of('user'), command: of('command'), ...times }
}

const changeOf = ({ requestId, field }: OwnInput) => ({ requestId, serverId: field('serverId') })

/** The action that adds a job. Reads `serverId` and the job's fields. */
export const saveJobAction = () => ownAction('cron.save', async (input) => saveJob(input.actor, changeOf(input), readJob(input.field)))

/** The action that deletes a job. Reads `serverId` and the whole job as it was seen. */
export const removeJobAction = () =>
  ownAction('cron.delete', async (input) => removeJob(input.actor, changeOf(input), readJob(input.field)))

/** The action that edits a job. Reads `serverId`, the new job's fields, and the old job's after `old.`, including its line. */
export const replaceJobAction = () =>
  ownAction('cron.replace', async (input) => replaceJob(input.actor, changeOf(input), readJob(input.field, 'old.'), readJob(input.field)))
