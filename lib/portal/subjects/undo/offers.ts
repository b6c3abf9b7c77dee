/** Which entries of the audit log the user can undo, which were undone, and which are undos. */
import 'server-only'
import { findGranted } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Undo } from '@/prisma/generated/portal/client'
import type { AnySubject } from '../undoable/subject'
import { findKind, findOwnKind } from './registry'
import { findVisible } from './visible'

/**
 * undo: what the undo does, in words (`plain` if the entry itself implies it), the id to request it, and where its effect is visible.
 * Null if nothing is stored, or the user may not. undone: by whom and when, ISO.
 */
export type UndoMark = {
  undo: { id: string; description: string; plain: boolean; page: { href: string; label: string } } | null
  undone: { by: string; at: string } | null
}

/** By the number of the entry to show it on: for a change with several steps, the last one. */
export async function readUndoMarks(actor: Person, requestIds: readonly string[]): Promise<Map<number, UndoMark>> {
  const where = { id: { in: [...new Set(requestIds)] }, teamId: actor.team.id }
  const rows = await db().undo.findMany({ where, include: { usedBy: { select: { name: true } } } })
  if (rows.length === 0) return new Map()
  const [steps, visible] = await Promise.all([lastSteps(rows.map(({ id }) => id)), findVisible(actor, rows.map(subjectOf))])
  const offers = new Map(await Promise.all(rows.map(async (row) => [row.id, await offer(actor, row)] as const)))
  return new Map(
    rows.flatMap((row) => {
      const seq = steps.get(row.id)
      if (seq === undefined) return []
      const undone = row.usedAt && { by: row.usedBy?.name ?? 'a former member', at: row.usedAt.toISOString() }
      return [[seq, { undo: !undone && visible.has(row.subjectId) ? (offers.get(row.id) ?? null) : null, undone }] as const]
    }),
  )
}

const subjectOf = ({ subjectKind: kind, subjectId: id }: Undo): AnySubject => ({ kind, id })

/** Null if the user could not use it, so that no button leads to a refusal. */
async function offer(actor: Person, row: Undo): Promise<UndoMark['undo']> {
  const [kind, own] = [findKind(row.kind), findOwnKind(row.kind)]
  if (own && (await own.isOfferedTo(actor, row.subjectId))) {
    return { id: row.id, description: own.summary, plain: own.plain, page: own.page(row.subjectId) }
  }
  if (!kind || row.subjectKind === 'connection' || row.subjectKind === 'grant') return null
  if (!(await findGranted(actor, kind.needs, row.subjectKind, [row.subjectId])).has(row.subjectId)) return null
  return { id: row.id, description: kind.summary, plain: kind.plain, page: kind.page({ kind: row.subjectKind, id: row.subjectId }) }
}

async function lastSteps(requestIds: readonly string[]): Promise<Map<string, number>> {
  const where = { requestId: { in: [...requestIds] }, stage: 'intent' as const }
  const steps = await db().auditRow.groupBy({ by: ['requestId'], where, _max: { seq: true } })
  return new Map(steps.flatMap(({ requestId, _max }) => (_max.seq === null ? [] : [[requestId, _max.seq] as const])))
}

/** The description and start time (ISO) of changes, for the entries that undid them. */
export async function readUndoneActs(
  actor: Actor,
  requestIds: readonly string[],
): Promise<Map<string, { action: string; detail: string; at: string }>> {
  if (requestIds.length === 0) return new Map()
  const where = { requestId: { in: [...new Set(requestIds)] }, teamId: actor.team.id, stage: 'intent' as const }
  const rows = await db().auditRow.findMany({
    where,
    orderBy: { seq: 'asc' },
    select: { requestId: true, action: true, detail: true, at: true },
  })
  return new Map(rows.map(({ requestId, action, detail, at }) => [requestId, { action, detail, at: at.toISOString() }]))
}
