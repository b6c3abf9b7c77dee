/** Cancels the work of a job at its service, which takes back what was done until then. The job ends when the service says so. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { findCreatedSite } from '@/lib/portal/subjects/sites/created'
import { runOperation } from '@/lib/portal/subjects/spine'
import type { Job } from '@/prisma/generated/portal/client'
import { jobsVisibleTo } from './visible'

const action = contract.sites.cancel.id

const over = problem('changed_meanwhile', { sentence: 'This job has ended. Reload the page.' })
const notListed = problem('busy', { sentence: 'The service does not list the new site yet. Try again in a few seconds.' })

/** For those who may run the operation on the site: the spine checks that. */
export async function cancelJob(actor: Person, id: string, requestId: string): Promise<Outcome<object>> {
  const refused = (code: 'forbidden' | 'not_found') =>
    recordDenied(actor, action, { kind: 'job', id }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  if (!mayRun(actor.role, contract.sites.cancel.effect)) return refused('forbidden')
  const job = isOpaqueId(id) ? await db().job.findFirst({ where: { AND: [{ id }, await jobsVisibleTo(actor)] } }) : null
  if (!job) return refused('not_found')
  if (job.endedAt !== null) return { ok: false, problem: over }
  const siteId = job.siteId ?? (await findSite(job))
  if (siteId === null) return { ok: false, problem: notListed }
  // The end may be here before the answer, and names who it was.
  const note = (cancelledById: string | null) => db().job.update({ where: { id }, data: { cancelledById } })
  await note(actor.user.id)
  const outcome = await runOperation(actor, contract.sites.cancel, { siteId }, {}, { requestId })
  if (outcome.ok) return { ok: true, data: {} }
  if (outcome.problem.code !== 'outcome_unknown') await note(job.cancelledById)
  return outcome
}

/** The service lists a site from the start of its creation. */
async function findSite(job: Job): Promise<string | null> {
  const connection = job.connectionId === null ? null : await db().connection.findUnique({ where: { id: job.connectionId } })
  return findCreatedSite({ row: job, connection }, { upstreamId: '', onlyNew: false, patient: false })
}

/** The action that cancels a job. Reads `jobId`. */
export const cancelJobAction = () => ownAction(action, ({ actor, requestId, field }) => cancelJob(actor, field('jobId'), requestId))
