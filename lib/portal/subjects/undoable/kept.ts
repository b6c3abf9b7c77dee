/** Stores what is needed to undo a change before the change is made. Encrypted, because a command may contain a secret. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { bindUndo } from '@/lib/portal/custody/binding'
import { openUnderRing, sealUnderRing } from '@/lib/portal/custody/ring'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Undo } from '@/prisma/generated/portal/client'
import type { RevertResult, UndoKind } from './kind'
import type { AnySubject, Subject } from './subject'

type Change = { requestId: string; subject: AnySubject }

/** The payload of a change together with the name of its kind. */
type KeptPayload = { kind: { name: string }; payload: object }

/**
 * Stores the undo of a change under the change's id in the audit log, and returns that id. Null if there is nothing to store or storing
 * failed: the change is then made without an Undo.
 */
export async function keepUndo(actor: Actor, { requestId: id, subject }: Change, kept: KeptPayload | null): Promise<string | null> {
  if (kept === null) return null
  const { kind, payload } = kept
  const row = { id, teamId: actor.team.id, subjectKind: subject.kind, subjectId: subject.id, kind: kind.name }
  try {
    const sealed = await sealUnderRing(Buffer.from(JSON.stringify({ kind: kind.name, ...payload })), bindUndo(row))
    await db().undo.create({ data: { ...row, ...sealed } })
    return id
  } catch (error) {
    log.error({ err: error, kind: kind.name }, 'undo data could not be stored')
    return null
  }
}

/** For a subject that is no longer listed, whose changes can no longer be undone. */
export async function dropUndos({ kind: subjectKind, id: subjectId }: Subject): Promise<void> {
  await db().undo.deleteMany({ where: { subjectKind, subjectId, usedAt: null } })
}

/** The decrypted payload, to be parsed with the schema of its kind. Null if it cannot be decrypted. */
export async function openInverse(row: Undo): Promise<unknown> {
  if (row.sealed === null) return null
  try {
    const payload = await openUnderRing(row.sealed, bindUndo(row))
    return JSON.parse(payload.toString('utf8'))
  } catch (error) {
    log.error({ err: error, undo: row.id }, 'undo data cannot be decrypted')
    return null
  }
}

const maxFound = 20

/**
 * Payloads of the newest changes of a kind that were not undone, newest first, for a user who makes the inverse change by hand. Empty
 * if they cannot be read, because that change does not depend on them.
 */
export async function findKept<Payload extends object>(
  actor: Actor,
  { kind: subjectKind, id: subjectId }: Subject,
  { name: kind, schema }: UndoKind<Payload>,
): Promise<Payload[]> {
  const where = { teamId: actor.team.id, subjectKind, subjectId, kind, usedAt: null }
  try {
    const rows = await db().undo.findMany({ where, orderBy: { createdAt: 'desc' }, take: maxFound })
    const opened = await Promise.all(rows.map(async (row) => schema.safeParse(await openInverse(row))))
    return opened.flatMap(({ data }) => (data ? [data] : []))
  } catch (error) {
    log.error({ err: error, kind }, 'undo data could not be read')
    return []
  }
}

// An undo takes less time than this. The process of an older claim has died, and the present state decides.
const claimedMs = 5 * 60_000

/** Claims the undo. Of several simultaneous callers, in any process, one gets true. */
export async function claimUndo(id: string): Promise<boolean> {
  const free = { OR: [{ claimedAt: null }, { claimedAt: { lt: new Date(Date.now() - claimedMs) } }] }
  const { count } = await db().undo.updateMany({ where: { id, usedAt: null, ...free }, data: { claimedAt: new Date() } })
  return count === 1
}

const usedBy = (usedById: string | null) => ({ usedAt: new Date(), usedById, sealed: null, kekId: null })

/** done: it is used up, and only records by whom. Otherwise it can be tried again. A job keeps the claim until its own end. */
export async function endClaim(id: string, { user }: Person, outcome: Outcome<RevertResult>): Promise<void> {
  if (outcome.ok && outcome.data.jobId !== undefined) return
  await db().undo.updateMany({ where: { id }, data: { claimedAt: null, ...(outcome.ok && usedBy(user.id)) } })
}

type EndedJob = { id: string; teamId: string; startedById: string | null }

/** After a job that made an undoable change, or undid one. A failed change leaves nothing to undo. */
export async function settleUndos({ id, teamId, startedById }: EndedJob, state: 'done' | 'failed' | 'open'): Promise<void> {
  if (state === 'failed') await db().undo.deleteMany({ where: { id, teamId, usedAt: null } })
  const intent = await db().auditRow.findFirst({ where: { requestId: id, teamId, stage: 'intent' }, select: { detail: true } })
  const { undoes } = readDetail(intent?.detail ?? '')
  if (typeof undoes !== 'string') return
  await db().undo.updateMany({
    where: { id: undoes, teamId, usedAt: null },
    data: { claimedAt: null, ...(state === 'done' && usedBy(startedById)) },
  })
}
