/** Stops following a job. Its work continues, because services have no operation to stop it. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { type Outcome, problem } from '@/lib/contract/problem'
import { keepUsable, listUsableConnections } from '@/lib/portal/access/connections'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { needFor } from '@/lib/portal/access/loans/withheld'
import { mayRun } from '@/lib/portal/access/roles'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import type { Person } from '@/lib/portal/identity/actor'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import type { Job } from '@/prisma/generated/portal/client'
import { placeOf } from './place'
import { stopRelay } from './relay/relay'
import { stopElsewhere } from './relay/resume'
import { jobsVisibleTo } from './visible'

const action = 'jobs.stopFollowing'

/** For operators and above who may use the job's connection, and run what it does where it does it. Ends the job as interrupted, which frees its server and connection. */
export async function stopFollowing(actor: Person, id: string, requestId: string): Promise<Outcome<object>> {
  const refused = (code: 'forbidden' | 'not_found') =>
    recordDenied(actor, action, { kind: 'job', id }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  if (!mayRun(actor.role, 'change')) return refused('forbidden')
  const job = isOpaqueId(id) ? await findUsable(actor, id) : null
  if (!job) return refused('not_found')
  if (!(await mayRunJob(actor, job))) return refused('forbidden')
  if (job.endedAt !== null) return { ok: false, problem: over }
  await recordAudit({
    requestId,
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object: { kind: 'server', id: job.serverId },
    connectionId: job.connectionId,
    stage: 'event',
    outcome: 'done',
    detail: { name: job.targetName },
  })
  const isStopped = (await stopRelay(id)) || (sharedDatabase() !== null && (await stopElsewhere(id)))
  return isStopped ? { ok: true, data: {} } : { ok: false, problem: over }
}

const over = problem('changed_meanwhile', { sentence: 'Gatehouse no longer follows this job. Reload the page.' })

/** An operation that this version does not know is nobody's but those with a grant of everything, who see all. */
async function mayRunJob(actor: Person, { operation, siteId, serverId }: Job): Promise<boolean> {
  const [known, target, id] = [findOperation(operation), siteId === null ? 'server' : 'site', siteId ?? serverId] as const
  if (!known || id === null) return seesAll(await rightOf(actor))
  return (await findGranted(actor, known, target, [id])).has(id)
}

/** Null for a job of another user's connection, unless that is lent for it. */
async function findUsable(actor: Person, id: string): Promise<Job | null> {
  const job = await db().job.findFirst({ where: { AND: [{ id }, await jobsVisibleTo(actor)] }, include: { site: true } })
  if (!job?.connectionId) return job
  const usable = await listUsableConnections(actor)
  if (usable.some(({ id: usableId }) => usableId === job.connectionId)) return job
  const connection = await db().connection.findUnique({ where: { id: job.connectionId } })
  const lent = connection?.ownerId ? await keepUsable(actor, [connection], placeOf(job), needFor(job.operation)) : []
  return lent.length > 0 ? job : null
}

/** The action that stops following a job. Reads `jobId`. */
export const stopFollowingAction = () => ownAction(action, ({ actor, requestId, field }) => stopFollowing(actor, field('jobId'), requestId))
