/** Forms about a cron job that is there already. */
import 'server-only'
import { type OwnInput, ownAction } from '../action'
import { type CronJob, removeJob, replaceJob } from './remove'

/** A job from the fields of a form, each by its name in the interface behind `prefix`. */
function readJob(field: OwnInput['field'], prefix = ''): CronJob {
  const of = (name: string) => field(`${prefix}${name}`)
  const times = { minute: of('minute'), hour: of('hour'), dom: of('dom'), mon: of('mon'), dow: of('dow') }
  return { line: of('line'), user: of('user'), command: of('command'), ...times }
}

/** The action that deletes a job. Reads `serverId` and the whole job as it was seen. */
export const removeJobAction = () =>
  ownAction('cron.delete', async ({ actor, field }) => removeJob(actor, field('serverId'), readJob(field)))

/** The action that edits a job. Reads `serverId`, the new job's fields, and the old job's behind `old.` with its line. */
export const replaceJobAction = () =>
  ownAction('cron.replace', async ({ actor, field }) => replaceJob(actor, field('serverId'), readJob(field, 'old.'), readJob(field)))
