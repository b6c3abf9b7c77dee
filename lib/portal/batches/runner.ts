/** Runs a batch in the portal's process: a stated number of targets at a time, one per server, until all have an outcome or it is stopped. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Fence } from '@/lib/database/postgresql'
import { log } from '@/lib/log'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { listHolders } from '@/lib/portal/base/portals/join'
import { processLease } from '@/lib/portal/base/portals/lease'
import { fenced, sharedDatabase, unfenced } from '@/lib/portal/base/portals/shared'
import { processState } from '@/lib/portal/base/process-state'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import type { Batch, BatchTarget } from '@/prisma/generated/portal/client'
import { endBatch } from './end'
import { type BatchKind, findBatchKind } from './kinds'
import { type KnownTarget, nextStep } from './next-step'
import { idsOf, performTarget, settleTarget, storeEnd, type TargetEnd } from './target'

const retryMs = 10_000

// Shared by all route bundles of the process, because there must be only one runner per batch among them.
const runningBatches = processState('batches', (): Map<string, Promise<void>> => new Map())

/** Runs a batch whose lease this process holds, unless it runs already. Settles, never rejects, when the batch has ended. */
export function runBatch(batchId: string): Promise<void> {
  const batches = runningBatches()
  const present = batches.get(batchId)
  if (present) return present
  const over = unfenced(() => runToEnd(batchId)).finally(() => batches.delete(batchId))
  batches.set(batchId, over)
  return over
}

/**
 * Runs the batches of the process before, which can then no longer write to them. Jobs have to be resumed first. On PostgreSQL, batches of
 * portals that are alive stay theirs.
 */
export async function resumeBatches(): Promise<void> {
  const lease = processLease()
  const open = sharedDatabase() ? await takeOrphans(lease) : await takeAll(lease)
  for (const { id } of open) void runBatch(id)
  if (open.length > 0) log.info({ batches: open.length }, 'batches of a previous process were taken over')
}

async function takeAll(lease: string): Promise<{ id: string }[]> {
  await db().batch.updateMany({ where: { endedAt: null }, data: { lease } })
  return db().batch.findMany({ where: { endedAt: null, lease }, select: { id: true } })
}

async function takeOrphans(lease: string): Promise<{ id: string }[]> {
  const orphans = await db().batch.findMany({
    where: { endedAt: null, lease: { notIn: listHolders() } },
    select: { id: true, lease: true },
  })
  for (const { id, lease: former } of orphans) await db().batch.updateMany({ where: { id, lease: former }, data: { lease } })
  // Also those whose runner did not begin because of an error: of one that runs, nothing happens.
  return db()
    .batch.findMany({ where: { endedAt: null, lease }, select: { id: true } })
    .then((own) => own.filter(({ id }) => !runningBatches().has(id)))
}

/** Refuses what is written about a target once another process runs the batch. */
const fenceOf = (batchId: string): Fence => ({
  sql: `SELECT 1 AS "one" FROM "Batch" WHERE "id" = $1 AND "lease" = $2`,
  values: [batchId, processLease()],
})

/**
 * After an error of the portal itself, such as a database that is locked, the rows say what has begun, as they do after a crash. Nobody
 * watches a target of this batch any more when it is tried again.
 */
async function runToEnd(batchId: string): Promise<void> {
  for (;;) {
    try {
      return await fenced(fenceOf(batchId), () => run(batchId))
    } catch (error) {
      log.error({ err: error, batchId }, 'a batch could not continue, and is tried again')
      await pause(retryMs, undefined, { ref: false })
    }
  }
}

async function run(batchId: string): Promise<void> {
  const loaded = await load(batchId)
  if (!loaded) return
  const { batch, kind, targets } = loaded
  const active = new Map<number, Promise<void>>()
  const failures: unknown[] = []
  const watch = (target: Loaded, doing: Promise<TargetEnd>): void => {
    target.state = 'running'
    const over = doing
      .then(async (end) => {
        await storeEnd(target.row, end)
        target.state = end.state
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => active.delete(target.seq))
    active.set(target.seq, over)
  }
  for (const target of targets) if (target.state === 'running') watch(target, settleTarget(kind, target.row))
  try {
    let why: Problem | null = null
    while (failures.length === 0) {
      const step = nextStep(batch, targets, why !== null || (await isStopped(batchId)))
      const target = step.kind === 'begin' ? targets[step.seq] : undefined
      if (step.kind === 'end') return await endBatch(batch, why ?? (await finish(batch, kind, targets)))
      if (step.kind === 'wait' && active.size > 0) await Promise.race(active.values())
      if (!target) continue
      const starter = await recheckStarter(batch, kind)
      if ('problem' in starter) why = starter.problem
      else watch(target, performTarget(starter.actor, kind, target.row, hasFollower(target, targets)))
    }
  } catch (error) {
    failures.push(error)
  }
  await Promise.all(active.values())
  throw failures[0]
}

const hasFollower = ({ seq, place }: Loaded, targets: readonly Loaded[]): boolean =>
  targets.some((other) => other.seq !== seq && other.place === place && other.state === 'waiting')

async function finish(batch: Batch, kind: BatchKind, targets: readonly Loaded[]): Promise<Problem | null> {
  const done = targets.find(({ state }) => state === 'done')
  if (!done || !kind.finish) return null
  const starter = await recheckStarter(batch, kind)
  return 'problem' in starter ? starter.problem : kind.finish(starter.actor, idsOf(done.row), { batchId: batch.id })
}

type Loaded = KnownTarget & { row: BatchTarget }

/** Null for a batch that has ended, that another process runs, or of an operation that this version does not run as one, which ends here. */
async function load(batchId: string): Promise<{ batch: Batch; kind: BatchKind; targets: Loaded[] } | null> {
  const batch = await db().batch.findFirst({ where: { id: batchId, endedAt: null } })
  if (!batch) return null
  if (batch.lease !== processLease()) {
    log.warn({ batchId }, 'a batch was taken over by another process')
    return null
  }
  const kind = findBatchKind(batch.operation)
  if (!kind) {
    await endBatch(batch, problem('not_built', { sentence: 'This version of Gatehouse does not run this as a batch.' }))
    return null
  }
  const site = { select: { serverId: true, origin: true, upstreamServerId: true } }
  const rows = await db().batchTarget.findMany({ where: { batchId }, orderBy: { seq: 'asc' }, include: { site } })
  const targets = rows.map(({ site: on, ...row }) => {
    const place = row.serverId ?? on?.serverId ?? `${on?.origin} ${on?.upstreamServerId}`
    return { seq: row.seq, state: row.state, place, row }
  })
  return { batch, kind, targets }
}

async function isStopped(id: string): Promise<boolean> {
  const batch = await db().batch.findUnique({ where: { id }, select: { stoppedAt: true } })
  return batch === null || batch.stoppedAt !== null
}

/** The member who started it, as they are now. Their session may be idle, expired or signed out, but must not have been ended otherwise. */
async function recheckStarter(batch: Batch, { operation }: BatchKind): Promise<{ actor: Person } | { problem: Problem }> {
  const { startedById, sessionId, teamId } = batch
  const started = { sessionId, user: { id: startedById ?? '' }, team: { id: teamId } }
  const actor = startedById === null ? null : await recheckSame(started, { evenSignedOut: true })
  if (!actor) {
    const sentence = 'The member who started this has left the team, or their sessions were ended.'
    return { problem: problem('signed_out', { sentence }) }
  }
  if (mayRun(actor.role, operation.effect)) return { actor }
  await recordDenied(actor, operation.id, { kind: 'batch', id: batch.id }, 'forbidden')
  return { problem: problem('forbidden', { sentence: `The role of ${actor.user.name} no longer allows this.` }) }
}
