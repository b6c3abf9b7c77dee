/** Starts slow work: checked and logged like any operation, then followed by a relay in the background. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { ownerOf } from '@/lib/portal/access/connections'
import type { Decision, Target } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { processLease } from '@/lib/portal/base/portals/lease'
import type { Actor } from '@/lib/portal/identity/actor'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import { type Admitted, admit, type RunOptions, recordOutcome } from '@/lib/portal/spine/run-operation'
import { showBidiControls } from '@/lib/text/bidi'
import { alreadyRepeated, findNewer } from './newer'
import { startRelay } from './relay/relay'

/**
 * Starts a slow operation and returns its job immediately. Each server, site or name of a new site has one running job per operation: starting
 * the same install again returns the running job; other operations are refused as `busy`.
 */
export async function startJob(
  actor: Actor,
  operation: Operation,
  target: Target,
  fields: GivenFields = {},
  options: RunOptions = {},
): Promise<Outcome<{ jobId: string }>> {
  // The job's id is the request id in the audit log, so that the relay of a later process can add the outcome, and a resubmitted form
  // is recognised after a restart.
  const jobId = options.requestId ?? createOpaqueId()
  const admitted = await admit(actor, operation, target, fields, { ...options, requestId: jobId })
  if (!admitted.ok) return admitted
  const { decision, request } = admitted.data
  const named = { targetName: nameOf(decision, fields), batchId: options.batchId ?? null, repeatOf: options.repeatOf ?? null }
  const obstacle = await claimJob(jobId, actor, operation, admitted.data, named)
  if (obstacle !== null) {
    const { running, refusal } = obstacle
    await recordOutcome(actor, operation, decision, jobId, refusal ?? problem('busy', { sentence: 'The job was already running.' }))
    return refusal ? { ok: false, problem: refusal } : { ok: true, data: { jobId: running } }
  }
  log.info({ jobId, operation: operation.id }, 'job started')
  startRelay({ jobId, operation, request, connectionId: decision.connection.id, startsUntil: 0 }, 'start')
  return { ok: true, data: { jobId } }
}

/** What the job is about: something new has no name but the one in the form. */
function nameOf({ name }: Decision, { domain }: GivenFields): string {
  return typeof domain === 'string' ? showBidiControls(domain.trim()) : name
}

/** What prevents a job: one that is running and is the same, or the reason to refuse it. */
type Obstacle = { running: string; refusal: null } | { running: null; refusal: Problem }

/**
 * Creates the job's row, or returns what prevents it. Two simultaneous starts cannot both find none. An older job whose
 * service is unreachable loses its lease, so that there is one stream per install.
 */
async function claimJob(
  jobId: string,
  actor: Actor,
  operation: Operation,
  { decision }: Admitted,
  { targetName, batchId, repeatOf }: { targetName: string; batchId: string | null; repeatOf: string | null },
): Promise<Obstacle | null> {
  // A service with extensions lets the creation of one site wait for that of another.
  const waits = decision.connection.extensions && !decision.site && !operation.stream
  const same = { operation: operation.id, serverId: decision.server?.id ?? null, ...(waits && { targetName }) }
  // The job of a creation gets its site once that is listed.
  const about = decision.site ? { siteId: decision.site.id } : {}
  const now = new Date()
  return db().$transaction(async (tx) => {
    // This write takes SQLite's write lock, so the following reads are current.
    await tx.job.create({ data: { id: jobId, ...same, ...about, targetName, batchId, ...rowOf(actor, decision, now) } })
    const others = { ...same, ...about, id: { not: jobId } }
    // Another install of a server continues the first. Other work may differ in its fields, so it waits until the first is over.
    const busy = operation.stream ? { state: 'running' as const } : { endedAt: null }
    const running = await tx.job.findFirst({ where: { ...others, ...busy }, select: { id: true } })
    const repeated = repeatOf !== null && (await findNewer([repeatOf], tx)).size > 0
    if (running || repeated) await tx.job.delete({ where: { id: jobId } })
    if (repeated) return { running: null, refusal: alreadyRepeated }
    if (running) return operation.stream ? { running: running.id, refusal: null } : { running: null, refusal: problem('busy') }
    await tx.job.updateMany({ where: { ...others, endedAt: null }, data: { state: 'interrupted', endedAt: now, lease: '' } })
    // The ids of events increase over all installs of a server; other work counts from 1.
    const { _max } = operation.stream ? await tx.job.aggregate({ where: same, _max: { upstreamEventId: true } }) : { _max: null }
    await tx.job.update({ where: { id: jobId }, data: { upstreamEventId: _max?.upstreamEventId ?? 0, repeatOf } })
    return null
  })
}

function rowOf(actor: Actor, decision: Decision, now: Date) {
  return {
    teamId: actor.team.id,
    connectionId: decision.connection.id,
    startedById: ownerOf(actor),
    state: 'running' as const,
    lease: processLease(),
    unsent: true,
    startedAt: now,
    heardAt: now,
  }
}
