/** Where the inverse of a change is kept, sealed: a command may hold a secret. Kept before the change, so that no end of the process loses it. */
import 'server-only'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { bindUndo } from '@/lib/portal/custody/binding'
import { openUnderRing, sealUnderRing } from '@/lib/portal/custody/ring'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Undo } from '@/prisma/generated/portal/client'
import type { Kept, UndoKind } from './kind'
import type { Subject } from './subject'

/** What a change answers. undo: give this to the undo action; null where nothing takes it back. */
export type Undoable = { undo: string | null }

type Change = { requestId: string; subject: Subject }

/**
 * Keeps what takes a change back, under the id that the change has in the record, and answers that id. Null where there
 * is nothing to keep, or it could not be kept: then the change is made all the same, without an Undo.
 */
export async function keepUndo(actor: Actor, { requestId: id, subject }: Change, kept: Kept | null): Promise<string | null> {
  if (kept === null) return null
  const { kind, payload } = kept
  const row = { id, teamId: actor.team.id, subjectKind: subject.kind, subjectId: subject.id, kind: kind.name }
  try {
    const sealed = await sealUnderRing(Buffer.from(JSON.stringify({ kind: kind.name, ...payload })), bindUndo(row))
    await db().undo.create({ data: { ...row, ...sealed } })
    return id
  } catch (error) {
    log.error({ err: error, kind: kind.name }, 'what would undo a change could not be kept')
    return null
  }
}

/** For a change that failed: what was kept for it goes, unless it may have been made after all. */
export async function refuseChange(undo: string | null, why: Problem): Promise<{ ok: false; problem: Problem }> {
  if (undo !== null && why.code !== 'outcome_unknown') await db().undo.deleteMany({ where: { id: undo, usedAt: null } })
  return { ok: false, problem: why }
}

/** For a subject that is no longer listed: nothing of it is undone from here any more. */
export async function dropUndos({ kind: subjectKind, id: subjectId }: Subject): Promise<void> {
  await db().undo.deleteMany({ where: { subjectKind, subjectId, usedAt: null } })
}

/** What was sealed, for the schema of its kind to judge. Null when it does not open. */
export async function openInverse(row: Undo): Promise<unknown> {
  if (row.sealed === null) return null
  try {
    const payload = await openUnderRing(row.sealed, bindUndo(row))
    return JSON.parse(payload.toString('utf8'))
  } catch (error) {
    log.error({ err: error, undo: row.id }, 'what was kept to undo a change cannot be opened')
    return null
  }
}

const maxFound = 20

/**
 * What the newest changes of a kind left behind that nobody took back, newest first: for a person who makes the inverse by hand.
 * Empty where it cannot be read, because that change does not depend on it.
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
    log.error({ err: error, kind }, 'what was kept to undo changes could not be read')
    return []
  }
}

// Nobody is at it for longer: then whoever claimed it died, and what is there decides.
const claimedMs = 5 * 60_000

/** Whether it is the caller's now. Of several at once, in any process, one is answered true. */
export async function claimUndo(id: string): Promise<boolean> {
  const free = { OR: [{ claimedAt: null }, { claimedAt: { lt: new Date(Date.now() - claimedMs) } }] }
  const { count } = await db().undo.updateMany({ where: { id, usedAt: null, ...free }, data: { claimedAt: new Date() } })
  return count === 1
}

/** done: it is used up, and holds nothing any more but by whom. Otherwise it may be tried again. */
export async function endClaim(id: string, { user }: Person, outcome: Outcome<unknown>): Promise<void> {
  const used = { usedAt: new Date(), usedById: user.id, sealed: null, kekId: null }
  await db().undo.updateMany({ where: { id }, data: { claimedAt: null, ...(outcome.ok && used) } })
}
