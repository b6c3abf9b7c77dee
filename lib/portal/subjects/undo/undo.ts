/** Undoes a change, from its toast or later from Activity, at most once. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { Undo } from '@/prisma/generated/portal/client'
import { tooLate } from '../revert/run-inverse'
import { claimUndo, endClaim, openInverse } from '../undoable/kept'
import type { RevertRequest, RevertResult, StartSlow, UndoKind } from '../undoable/kind'
import { targetOf } from '../undoable/subject'
import { findKind } from './registry'

export const undoName = 'activity.undo'

/**
 * Undoes the change logged under `id`. Users who may run the operation that its kind needs may undo it, through their own connection.
 * Reads the present state and acts only if it matches; returns the message to show. A second or simultaneous attempt, by any user, does
 * nothing.
 */
export async function undoChange(actor: Person, id: string, requestId: string, startSlow: StartSlow): Promise<Outcome<RevertResult>> {
  const refused = (code: 'forbidden' | 'not_found', objectId: string) =>
    recordDenied(actor, undoName, { kind: 'undo', id: objectId }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  if (!mayRun(actor.role, 'change')) return refused('forbidden', id)
  const row = isOpaqueId(id) ? await findRow(actor, id) : null
  if (!row) return refused('not_found', id)
  const kind = findKind(row.kind)
  if (!kind) return tooLate('This version of Gatehouse cannot undo this change. Make the opposite change yourself.')
  const subject = { kind: row.subjectKind, id: row.subjectId }
  const target = targetOf(subject)
  const may = await decide(actor, kind.needs, target)
  if (!may.ok) return may
  if (row.usedAt !== null) return tooLate(`This was already undone${row.usedBy ? ` by ${row.usedBy.name}` : ''}.`)
  if (!(await claimUndo(id))) return { ok: false, problem: atIt }
  return run(actor, row, kind, { subject, target, requestId, undoes: id, extensions: may.data.connection.extensions, startSlow })
}

/** An undo of another team is treated as missing. */
const findRow = (actor: Person, id: string) =>
  db().undo.findFirst({ where: { id, teamId: actor.team.id }, include: { usedBy: { select: { name: true } } } })

const atIt = problem('busy', { sentence: 'Someone is undoing this right now. Reload in a few seconds.' })

/** Ends the claim in any case, also after an unexpected error. */
async function run(actor: Person, row: Undo, kind: UndoKind, request: RevertRequest): Promise<Outcome<RevertResult>> {
  let outcome: Outcome<RevertResult> = { ok: false, problem: problem('internal') }
  try {
    const { data: payload } = kind.schema.safeParse(await openInverse(row))
    outcome = payload
      ? await kind.revert(actor, request, payload)
      : tooLate('The data needed to undo this cannot be decrypted. Make the opposite change yourself.')
  } finally {
    await endClaim(row.id, actor, outcome)
  }
  return outcome
}
