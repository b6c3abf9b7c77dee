/** Ends a held request without sending it: the second person refuses it, or whoever asked withdraws it. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { whatOf } from '@/lib/portal/spine/held/what'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { alreadyOver, endHeld, tellDecided } from './end'
import { findHeld } from './find'

const maxReason = 200

/** Fields: heldId, reason (may be empty). */
export async function refuseHeld(input: OwnInput): Promise<Outcome<null>> {
  const reason = input.field('reason').trim()
  if (reason.length > maxReason) {
    return { ok: false, problem: problem('invalid', { fields: { reason: `Use at most ${maxReason} characters.` } }) }
  }
  return end(input, 'approval.refuse', reason)
}

/** Field: heldId. */
export const withdrawHeld = (input: OwnInput): Promise<Outcome<null>> => end(input, 'approval.withdraw', '')

async function end({ actor, requestId, field }: OwnInput, action: 'approval.refuse' | 'approval.withdraw', reason: string) {
  const found = await findHeld(actor, field('heldId'))
  const object = { kind: 'heldRequest', id: found?.row.id ?? field('heldId') } as const
  const allowed = action === 'approval.withdraw' ? found?.own : found?.mayDecide
  if (!found || !allowed) {
    const why = problem(found ? 'forbidden' : 'not_found')
    await recordDenied(actor, action, object, why.code)
    return { ok: false, problem: why } as const
  }
  const { row } = found
  // Anybody may withdraw their own request, whatever their role is by now.
  const effect = action === 'approval.withdraw' ? 'read' : (findOperation(row.action)?.effect ?? 'destroy')
  const needs = { subject: 'servers', effect } as const
  const detail = { name: row.targetName, about: row.action, digest: row.digest, ...(reason !== '' && { why: reason }) }
  return runRecorded({ actor, action, requestId, object, needs, detail }, async (now): Promise<Outcome<null>> => {
    const decided = { decidedById: now.user.id, decidedAt: new Date(), reason }
    const state = action === 'approval.withdraw' ? 'withdrawn' : 'refused'
    if (!(await endHeld(row, row.state === 'approved' || row.state === 'ready' ? row.state : 'waiting', { state, ...decided })))
      return { ok: false, problem: alreadyOver }
    if (state === 'refused') await tellDecided(row, { by: now.user.name, what: whatOf(row), outcome: 'refused' })
    return { ok: true, data: null }
  })
}
