/** Starts a batch: stores all targets at once, so that from then on only the portal's process is needed. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import { processLease } from '@/lib/portal/base/portals/lease'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { alreadyRepeated, findNewer } from '@/lib/portal/jobs/newer'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { toReadableDomain } from '@/lib/text/idn'
import { formatNames } from '@/lib/text/names'
import { BatchMode, type Prisma } from '@/prisma/generated/portal/client'
import { type BatchKind, findBatchKind } from './kinds'
import { runBatch } from './runner'
import { refuseBatchWithoutSecond } from './second-person'
import { titleOfBatch } from './title'

export const startName = 'batches.start'

// Of one batch, and at a time.
const maxTargets = 1_000
const maxAtOnce = 8

/** One target by its opaque id, with the request fields that are its own. repeatOf: of an earlier target that it repeats, workIdOf. */
export type GivenTarget = { id: string; fields: Readonly<Record<string, string>>; repeatOf?: string }

export type NewBatch = {
  operation: string
  targets: readonly GivenTarget[]
  mode: string
  atOnce: string
  /** What the user typed: the number of targets, for operations that need a confirmation. */
  confirmName: string
  stepUp: () => Promise<Problem | null>
  /** The digest of the list that a second person approved. Whoever asked may have signed out since then. */
  approvedDigest?: string
}

/** Returns the batch's id, which is the request id: the same form sent twice starts one batch. */
export async function startBatch(actor: Person, given: NewBatch, requestId: string): Promise<Outcome<{ batchId: string }>> {
  if (await db().batch.findUnique({ where: { id: requestId } })) return { ok: true, data: { batchId: requestId } }
  const kind = findBatchKind(given.operation)
  const [mode, atOnce] = [readMode(given.mode), Number(given.atOnce)]
  if (!kind || mode === null || !(Number.isInteger(atOnce) && atOnce >= 1 && atOnce <= maxAtOnce)) return refuse(problem('invalid'))
  if (given.targets.some(({ fields }) => Object.keys(fields).some((name) => !kind.fields.includes(name)))) return refuse(problem('invalid'))
  const why = await refuseStarter(actor, kind, given)
  if (why) return refuse(why)
  const found = await findTargets(actor, kind, given.targets)
  if (!found.ok) {
    await recordDenied(actor, startName, { kind: kind.targets, id: null }, found.problem.code)
    return found
  }
  const rows = found.data
  const held = await refuseBatchWithoutSecond(actor, {
    ...given,
    kind,
    requestId,
    approvedDigest: given.approvedDigest,
    targets: given.targets.map((target, index) => ({ ...target, name: rows[index]?.name ?? '' })),
  })
  if (held) return refuse(held)
  const stored = await store(actor, { id: requestId, kind, mode, atOnce, approved: given.approvedDigest !== undefined }, rows)
  // Also if only its outcome is missing in the audit log. A batch that was not stored does not run.
  void runBatch(requestId)
  return stored.ok ? { ok: true, data: { batchId: requestId } } : stored
}

const refuse = (why: Problem) => ({ ok: false, problem: why }) as const

const readMode = (given: string): BatchMode | null => (Object.hasOwn(BatchMode, given) ? BatchMode[given as BatchMode] : null)

async function refuseStarter(
  actor: Person,
  kind: BatchKind,
  { targets, confirmName, stepUp, approvedDigest }: NewBatch,
): Promise<Problem | null> {
  const now = await recheckSame(actor, { evenSignedOut: approvedDigest !== undefined })
  if (!now) return problem('signed_out')
  if (!mayRun(now.role, kind.operation.effect)) {
    await recordDenied(actor, startName, { kind: kind.targets, id: null }, 'forbidden')
    return problem('forbidden')
  }
  if (targets.length === 0) return problem('invalid', { sentence: 'Nothing is selected. Reload the page.' })
  if (targets.length > maxTargets) return problem('invalid', { sentence: `Choose at most ${maxTargets}.` })
  if (kind.operation.confirm !== undefined && confirmName.trim() !== String(targets.length)) {
    return problem('invalid', { fields: { confirmName: `Type ${targets.length} to confirm.` } })
  }
  return kind.operation.freshSignIn ? stepUp() : null
}

/** The rows of the targets. Refused if one is unknown, gone, another team's, or where the starter may not do it: nothing is left out in silence. */
async function findTargets(actor: Person, kind: BatchKind, given: readonly GivenTarget[]): Promise<Outcome<Rows>> {
  const names = await findVisibleNames(actor, kind.targets, [...new Set(given.map(({ id }) => id))].filter(isOpaqueId))
  const granted = await findGranted(actor, kind.operation, kind.targets, [...names.keys()])
  const rows = given.flatMap(({ id, fields, repeatOf = null }, seq) => {
    const [name, own] = [names.get(id), kind.targets === 'site' ? { siteId: id } : { serverId: id }]
    return name === undefined ? [] : { seq, name, ...own, repeatOf, fields: JSON.stringify(fields), requestId: createOpaqueId() }
  })
  if (rows.length < given.length) {
    return refuse(problem('not_found', { sentence: `Some of the selected ${kind.targets}s are no longer listed. Reload the page.` }))
  }
  const denied = [...names].flatMap(([id, name]) => (granted.has(id) ? [] : [toReadableDomain(name)]))
  if (denied.length === 0) return { ok: true, data: rows }
  const sentence = `Your access does not include this for ${formatNames(denied)}. Nothing was started. Reload the page.`
  return refuse(problem('forbidden', { sentence }))
}

type Stored = { id: string; kind: BatchKind; mode: BatchMode; atOnce: number; approved: boolean }
type Rows = Omit<Prisma.BatchTargetCreateManyInput, 'batchId'>[]

/** Batch and targets, between two entries of the audit log; without the first there is no batch. */
function store(actor: Person, { id, kind, mode, atOnce, approved }: Stored, rows: Rows): Promise<Outcome<null>> {
  const own = { teamId: actor.team.id, startedById: actor.user.id, sessionId: actor.sessionId, lease: processLease() }
  const detail = { name: titleOfBatch(kind.operation.id, rows.length, rows[0]), count: rows.length }
  const needs = { subject: 'servers', effect: kind.operation.effect } as const
  const change = { actor, action: startName, requestId: id, object: { kind: 'batch', id }, needs, detail, approved } as const
  return runRecorded(change, async () => {
    const isStored = await db().$transaction(async (tx) => {
      // This write takes SQLite's write lock, so the following read is current.
      await tx.batch.create({ data: { id, ...own, operation: kind.operation.id, mode, atOnce, startedAt: new Date() } })
      const newer = await findNewer(
        rows.flatMap(({ repeatOf }) => repeatOf ?? []),
        tx,
      )
      if (newer.size > 0) await tx.batch.delete({ where: { id } })
      else await tx.batchTarget.createMany({ data: rows.map((row) => ({ batchId: id, ...row })) })
      return newer.size === 0
    })
    if (!isStored) return { ok: false, problem: alreadyRepeated }
    log.info({ batchId: id, operation: kind.operation.id, targets: rows.length }, 'batch started')
    return { ok: true, data: null }
  })
}
