/** Undoes a change, from its toast or later from Activity, at most once. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { stepUp } from '@/lib/portal/identity/step-up'
import type { Undo } from '@/prisma/generated/portal/client'
import { tooLate } from '../revert/run-inverse'
import { claimUndo, endClaim, openInverse } from '../undoable/kept'
import type { RevertResult, StartSlow, UndoKind } from '../undoable/kind'
import { targetOf } from '../undoable/subject'
import { findKind, findOwnKind } from './registry'

export const undoName = 'activity.undo'

/**
 * Undoes the change logged under `id`. Users who may run the operation that its kind needs may undo it, through their own connection.
 * Reads the present state and acts only if it matches; returns the message to show. A second or simultaneous attempt, by any user, does
 * nothing. prove: for changes of the portal itself that need a fresh sign-in.
 */
export async function undoChange(
  actor: Person,
  id: string,
  requestId: string,
  startSlow: StartSlow,
  prove: () => Promise<Problem | null> = () => stepUp(actor, { password: '', code: '', passkey: '' }),
): Promise<Outcome<RevertResult>> {
  const refused = (code: 'forbidden' | 'not_found', objectId: string) =>
    recordDenied(actor, undoName, { kind: 'undo', id: objectId }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  if (!mayRun(actor.role, 'change')) return refused('forbidden', id)
  const row = isOpaqueId(id) ? await findRow(actor, id) : null
  if (!row) return refused('not_found', id)
  const [kind, own] = [findKind(row.kind), findOwnKind(row.kind)]
  if (own) {
    if (!(await own.isOfferedTo(actor, row.subjectId))) return refused('not_found', id)
    const request = { subjectId: row.subjectId, requestId, undoes: id, prove }
    return (await refuseUsed(row)) ?? run(actor, row, own.schema, (payload) => own.revert(actor, request, payload))
  }
  if (!kind || row.subjectKind === 'grant') {
    return tooLate('This version of Gatehouse cannot undo this change. Make the opposite change yourself.')
  }
  const subject = { kind: row.subjectKind, id: row.subjectId }
  const target = targetOf(subject)
  const may = await decide(actor, kind.needs, target)
  if (!may.ok) return may
  const request = { subject, target, requestId, undoes: id, extensions: may.data.connection.extensions, startSlow }
  return (await refuseUsed(row)) ?? run(actor, row, kind.schema, (payload) => kind.revert(actor, request, payload))
}

/** Claims the undo. A refusal if it was used, or somebody else is at it. */
async function refuseUsed({ id, usedAt, usedBy }: FoundRow): Promise<{ ok: false; problem: Problem } | null> {
  if (usedAt !== null) return tooLate(`This was already undone${usedBy ? ` by ${usedBy.name}` : ''}.`)
  return (await claimUndo(id)) ? null : { ok: false, problem: atIt }
}

type FoundRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

/** An undo of another team is treated as missing. */
const findRow = (actor: Person, id: string) =>
  db().undo.findFirst({ where: { id, teamId: actor.team.id }, include: { usedBy: { select: { name: true } } } })

const atIt = problem('busy', { sentence: 'Someone is undoing this right now. Reload in a few seconds.' })

/** Ends the claim in any case, also after an unexpected error. */
async function run(
  actor: Person,
  row: Undo,
  schema: UndoKind['schema'],
  revert: (payload: object) => Promise<Outcome<RevertResult>>,
): Promise<Outcome<RevertResult>> {
  let outcome: Outcome<RevertResult> = { ok: false, problem: problem('internal') }
  try {
    const { data: payload } = schema.safeParse(await openInverse(row))
    outcome = payload
      ? await revert(payload)
      : tooLate('The data needed to undo this cannot be decrypted. Make the opposite change yourself.')
  } finally {
    await endClaim(row.id, actor, outcome)
  }
  return outcome
}
