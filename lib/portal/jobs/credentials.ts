/** Shows whoever started a job the credentials that it returned. A job's row and its lines never contain them. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { type Credentials, forgetCredentials, readCredentialOwners, showCredentials } from '@/lib/portal/subjects/credentials/kept'
import type { Job } from '@/prisma/generated/portal/client'
import { jobsVisibleTo } from './visible'

const action = 'jobs.showCredentials'

const gone = problem('changed_meanwhile', {
  sentence: 'These sign-in details can no longer be shown: they were shown before, or their time is over. Set a new password.',
})

/** The answer is the only copy that leaves Gatehouse. */
export async function showJobCredentials(actor: Person, id: string, requestId: string): Promise<Outcome<{ credentials: Credentials }>> {
  const job = await findOwn(actor, id)
  if (!job.ok) return job
  const { siteId, connectionId, targetName } = job.data
  const credentials = await showCredentials(job.data, actor.user.id)
  if (!credentials) return { ok: false, problem: gone }
  await recordAudit({
    requestId,
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object: { kind: 'site', id: siteId },
    connectionId,
    stage: 'event',
    outcome: 'done',
    detail: { name: targetName },
  })
  return { ok: true, data: { credentials } }
}

/** Once they have been written down. */
export async function dropJobCredentials(actor: Person, id: string): Promise<Outcome<object>> {
  const job = await findOwn(actor, id)
  if (!job.ok) return job
  await forgetCredentials(job.data)
  return { ok: true, data: {} }
}

/** For a member who may still change the site, unless there are credentials for somebody else. */
async function findOwn(actor: Person, id: string): Promise<Outcome<Job>> {
  const refused = (code: 'forbidden' | 'not_found') =>
    recordDenied(actor, action, { kind: 'job', id }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  const job = isOpaqueId(id) ? await db().job.findFirst({ where: { AND: [{ id }, await jobsVisibleTo(actor)] } }) : null
  if (!job) return refused('not_found')
  const userId = (await readCredentialOwners([job]))(job) ?? actor.user.id
  return userId === actor.user.id && mayRun(actor.role, 'change') ? { ok: true, data: job } : refused('forbidden')
}

/** Read `jobId`. */
export const showCredentialsAction = () =>
  ownAction(action, ({ actor, requestId, field }) => showJobCredentials(actor, field('jobId'), requestId))
export const dropCredentialsAction = () =>
  ownAction('jobs.dropCredentials', ({ actor, field }) => dropJobCredentials(actor, field('jobId')))
