/** Batches in the form that browsers may see. */
import 'server-only'
import { isProblemCode, type Problem } from '@/lib/contract/problem'
import { recordDeniedRead } from '@/lib/portal/access/denied'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findSight } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { type Page, takeKept } from '@/lib/portal/base/take-kept'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Batch, BatchMode, BatchTarget, BatchTargetState, Prisma } from '@/prisma/generated/portal/client'
import { findBatchKind } from './kinds'
import { findRepeatable } from './repeat'
import { nameOfTarget, titleOfBatch } from './title'
import { batchesVisibleTo, siftTargets, targetsVisibleTo } from './visible'

export type { BatchMode, BatchTargetState }

export type BatchSummary = {
  id: string
  operation: string
  title: string
  /** site, server, alias or address, whichever is counted. */
  noun: string
  /** The user's name; empty if the account was deleted. */
  startedBy: string
  mode: BatchMode
  atOnce: number
  /** How many targets are in each state; of those on other members' own connections too, for whoever has a grant of everything. */
  counts: Readonly<Record<BatchTargetState, number>>
  /** ISO times. endedAt: null while it runs. stoppedAt: no target has begun since. */
  startedAt: string
  stoppedAt: string | null
  endedAt: string | null
  /** Who stopped it; empty if nobody did, or the account was deleted. */
  stoppedBy: string
  /** Why Gatehouse began no more targets, or what is left to do after them. */
  problem: Problem | null
}

export type BatchTargetView = {
  seq: number
  name: string
  siteId: string | null
  serverId: string | null
  state: BatchTargetState
  problem: Problem | null
  /** What to know about a target that is done. */
  note: string
  /** The job that shows its progress, if there is one. */
  job: { id: string; step: string; progress: number } | null
  /** By what its change can be undone; null if it cannot. */
  undo: string | null
  /** ISO times */
  startedAt: string | null
  endedAt: string | null
}

/**
 * hidden: targets that this user does not see. repeatable: how many a repetition by this user would contain. gone: how many it leaves out,
 * because they are no longer listed. denied: because this user may not do it there. newer: batches that repeat some of it. confirms: it needs a typed confirmation.
 */
export type BatchView = BatchSummary & {
  targets: BatchTargetView[]
  hidden: number
  repeatable: number
  gone: number
  denied: number
  newer: Pick<BatchSummary, 'id' | 'title'>[]
  confirms: boolean
}

const newest = 100

const people = { startedBy: { select: { name: true } }, stoppedBy: { select: { name: true } } } as const

/** A target out of sight does not name the batch. */
const includeFor = async (actor: Actor) => {
  const targets = { where: await countedFor(actor), select: { name: true, fields: true }, orderBy: { seq: 'asc' as const }, take: 1 }
  return { ...people, targets }
}

/** Whoever sees everything sees how many targets there are in all, also of other members' own connections; others count what they see. */
const countedFor = async (actor: Actor): Promise<Prisma.BatchTargetWhereInput> =>
  seesAll(await rightOf(actor)) ? {} : targetsVisibleTo(actor)

type Found = Batch & { startedBy: { name: string } | null; stoppedBy: { name: string } | null; targets: { name: string; fields: string }[] }

/** The batches that the actor may see, newest first, at most 100. */
export const listBatches = async (actor: Actor): Promise<BatchSummary[]> => list(actor, {})

export const listRunningBatches = async (actor: Actor): Promise<BatchSummary[]> => list(actor, { endedAt: null })

/** matching: of the actor's team. */
async function list(actor: Actor, matching: Prisma.BatchWhereInput): Promise<BatchSummary[]> {
  const ofTeam = { AND: [{ teamId: actor.team.id }, matching] }
  // Mostly there is none, which is known sooner than what the actor sees.
  if ((await db().batch.findFirst({ where: ofTeam, select: { id: true } })) === null) return []
  return seesAll(await rightOf(actor)) ? listWhole(actor, ofTeam) : listParts(actor, ofTeam)
}

const newestFirst = [{ startedAt: 'desc' as const }, { id: 'asc' as const }]

async function listWhole(actor: Actor, ofTeam: Prisma.BatchWhereInput): Promise<BatchSummary[]> {
  const where = { AND: [ofTeam, await batchesVisibleTo(actor)] }
  const rows = await db().batch.findMany({ where, include: await includeFor(actor), orderBy: newestFirst, take: newest })
  const counts = await countStates(
    rows.map(({ id }) => id),
    {},
  )
  return rows.map((row) => toSummary(row, counts.get(row.id)))
}

/** By their targets, of which the actor sees some. */
async function listParts(actor: Actor, ofTeam: Prisma.BatchWhereInput): Promise<BatchSummary[]> {
  const { where: listed, keeps } = await siftTargets(actor)
  const columns = { name: true, fields: true, state: true, serverId: true, siteId: true, site: { select: { serverId: true } } } as const
  const include = { ...people, targets: { where: listed, select: columns, orderBy: { seq: 'asc' as const } } }
  const where = { AND: [ofTeam, { targets: { some: listed } }] }
  const readPage = async (page: Page) => {
    const rows = await db().batch.findMany({ where, include, orderBy: newestFirst, ...page })
    return rows.map((row) => ({ ...row, targets: row.targets.filter((target) => keeps(row.operation, target)) }))
  }
  const rows = await takeKept(readPage, ({ targets }) => targets.length > 0, newest)
  return rows.map((row) => toSummary(row, countBy(row.targets)))
}

function countBy(targets: readonly Pick<BatchTarget, 'state'>[]): Counts {
  const counts = { ...noCounts }
  for (const { state } of targets) counts[state] += 1
  return counts
}

/** Null for an unknown batch and one that the actor may not see; logs a refusal. */
export async function findBatch(actor: Actor, id: string): Promise<BatchView | null> {
  const where = { AND: [{ id }, await batchesVisibleTo(actor)] }
  const include = await includeFor(actor)
  const batch = isOpaqueId(id) ? await db().batch.findFirst({ where, include }) : null
  if (!batch) {
    await recordDeniedRead(actor, 'batches.show', { kind: 'batch', id })
    return null
  }
  const rows = await db().batchTarget.findMany({
    where: { AND: [{ batchId: id }, await targetsVisibleTo(actor)] },
    orderBy: { seq: 'asc' },
  })
  const summary = toSummary(batch, (await countStates([id], await countedFor(actor))).get(id))
  const repeated = batch.endedAt === null ? { rows: [], gone: 0, denied: 0, newer: [] } : await findRepeatable(actor, batch)
  const newer = await list(actor, { id: { in: repeated.newer } })
  return {
    ...summary,
    targets: await toTargets(actor, batch.operation, rows),
    hidden: Object.values(summary.counts).reduce((sum, count) => sum + count, 0) - rows.length,
    repeatable: repeated.rows.length,
    gone: repeated.gone,
    denied: repeated.denied,
    newer: newer.map((each) => ({ id: each.id, title: each.title })),
    confirms: findBatchKind(batch.operation)?.operation.confirm !== undefined,
  }
}

type Counts = Record<BatchTargetState, number>

async function countStates(ids: readonly string[], seen: Prisma.BatchTargetWhereInput): Promise<Map<string, Counts>> {
  const where = { AND: [{ batchId: { in: [...ids] } }, seen] }
  const groups = await db().batchTarget.groupBy({ by: ['batchId', 'state'], where, _count: true })
  const counts = new Map<string, Counts>()
  for (const { batchId, state, _count } of groups) counts.set(batchId, { ...(counts.get(batchId) ?? noCounts), [state]: _count })
  return counts
}

const noCounts = { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0, unknown: 0, skipped: 0 }

function toSummary(batch: Found, counts: Counts = noCounts): BatchSummary {
  const { id, operation, mode, atOnce, startedAt, stoppedAt, endedAt } = batch
  return {
    id,
    operation,
    mode,
    atOnce,
    counts,
    title: titleOfBatch(
      operation,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
      batch.targets[0],
    ),
    noun: findBatchKind(operation)?.noun ?? 'target',
    startedBy: batch.startedBy?.name ?? '',
    startedAt: startedAt.toISOString(),
    stoppedAt: stoppedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    stoppedBy: batch.stoppedBy?.name ?? '',
    problem: problemIn(batch),
  }
}

const problemIn = ({ problemCode: code, problemSentence }: Pick<BatchTarget, 'problemCode' | 'problemSentence'>): Problem | null =>
  isProblemCode(code) ? { code, sentence: problemSentence ?? '' } : null

async function toTargets(actor: Actor, operation: string, rows: readonly BatchTarget[]): Promise<BatchTargetView[]> {
  const sees = await findSight(actor)
  const jobIds = rows.flatMap(({ jobId }) => jobId ?? [])
  const jobs = await db().job.findMany({ where: { id: { in: jobIds } }, select: { id: true, step: true, progress: true } })
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const undos = await findUndos(operation, rows)
  return rows.map((row) => ({
    seq: row.seq,
    name: nameOfTarget(operation, row),
    siteId: row.siteId,
    serverId: row.serverId && sees({ kind: 'server', serverId: row.serverId }) ? row.serverId : null,
    state: row.state,
    problem: problemIn(row),
    note: row.problemCode === null ? (row.problemSentence ?? '') : '',
    job: byId.get(row.jobId ?? '') ?? null,
    undo: undos.has(row.requestId) ? row.requestId : null,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }))
}

/** What is stored to undo a change has the id under which the change was logged. */
async function findUndos(operation: string, rows: readonly BatchTarget[]): Promise<ReadonlySet<string>> {
  const done = rows.filter(({ state }) => state === 'done').map(({ requestId }) => requestId)
  if (done.length === 0 || !findBatchKind(operation)?.operation.undoable) return new Set()
  const found = await db().undo.findMany({ where: { id: { in: done }, usedAt: null }, select: { id: true } })
  return new Set(found.map(({ id }) => id))
}
