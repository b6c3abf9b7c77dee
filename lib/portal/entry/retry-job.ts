/** Starts a job again that failed or was cancelled, with the fields that it had. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { backups } from '@/lib/contract/operations/backups'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { startBackup } from '@/lib/portal/jobs/back-up'
import { alreadyRepeated, findNewer } from '@/lib/portal/jobs/newer'
import { findRepeatable } from '@/lib/portal/jobs/repeatable'
import { startJob } from '@/lib/portal/jobs/start'
import { jobsVisibleTo } from '@/lib/portal/jobs/visible'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

// Longer values were cut when they were logged.
const wholeLength = 200

const onItsPage = problem('unsuitable', { sentence: 'This job cannot be started again from here. Start it on its own page.' })

/** Reads `jobId`. A job is started again once, then the newer one. Role, connection and target are checked as for any start, and it is logged as one. */
export async function retryJob({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> {
  const id = field('jobId')
  const refused = (code: 'forbidden' | 'not_found') =>
    recordDenied(actor, 'jobs.retry', { kind: 'job', id }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  // Whatever the job is: what can be started again changes something.
  if (!mayRun(actor.role, 'change')) return refused('forbidden')
  const job = isOpaqueId(id) ? await db().job.findFirst({ where: { AND: [{ id }, await jobsVisibleTo(actor)] } }) : null
  if (!job) return refused('not_found')
  const newer = (await findNewer([id])).get(id)
  // The same form, sent again.
  if (newer?.id === requestId) return { ok: true, data: { jobId: requestId } }
  if (newer) return { ok: false, problem: alreadyRepeated }
  const repeatable = findRepeatable(job)
  if (!repeatable) return { ok: false, problem: onItsPage }
  const { operation, target } = repeatable
  const options = { requestId, repeatOf: id }
  if (operation.id === backups.create.id && 'siteId' in target) return startBackup(actor, target.siteId, options)
  const fields = await findFields(id, operation)
  return fields === null ? { ok: false, problem: onItsPage } : startJob(actor, operation, target, fields, options)
}

/** The fields that the job had, as the audit log has them; null if it does not have them whole. */
async function findFields(jobId: string, { fields }: Operation): Promise<Record<string, string> | null> {
  const names = Object.keys(fields)
  if (names.length === 0) return {}
  const intent = await db().auditRow.findFirst({ where: { requestId: jobId, stage: 'intent' }, select: { detail: true } })
  if (!intent) return null
  const detail = readDetail(intent.detail)
  const found = names.flatMap((name): [string, string][] => {
    const value = detail[`field.${name}`]
    if (value === undefined || value === null) return []
    // Others of its batch followed it then, and nothing does now.
    return [[name, name === 'more' ? '0' : String(value)]]
  })
  return found.some(([, value]) => value.length >= wholeLength) ? null : Object.fromEntries(found)
}
