/** The second person: approves a held request, which is then sent exactly as it was digested. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { describe } from '@/lib/portal/spine/held/hold'
import { type HeldOperation, openHeld } from '@/lib/portal/spine/held/sealed'
import { runRecorded } from '@/lib/portal/spine/recorded'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { alreadyOver, endHeld, erased, isLate, moveHeld, tellAsker, tooLate } from './end'
import { expireHeld } from './expire'
import { type FoundHeld, findHeld } from './find'
import { sendHeld, targetOf } from './send'

const action = 'approval.approve'

/** jobId: the job that it started; null if it is done. */
export type Approved = { jobId: string | null }

const ownRequest = problem('forbidden', { sentence: 'Another member has to approve what you asked for.' })

const altered = problem('changed_meanwhile', {
  sentence: 'This request is not what was held: its record was changed. Nothing was sent. Ask again.',
})

/** Fields: heldId; digest, of the request as the page showed it; and a proof if the sign-in is not recent. */
export async function approveHeld({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<Approved>> {
  const found = await findHeld(actor, field('heldId'))
  const object = { kind: 'heldRequest', id: found?.row.id ?? field('heldId') } as const
  const refused = await refuse(found, field('digest'))
  if (!found || refused) {
    const why = refused ?? problem('not_found')
    if (why.code === 'not_found' || why.code === 'forbidden') await recordDenied(actor, action, object, why.code)
    return { ok: false, problem: why }
  }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { row } = found
  const needs = { subject: 'servers', effect: findOperation(row.action)?.effect ?? 'destroy' } as const
  const detail = { name: row.targetName, about: row.action, digest: row.digest }
  return runRecorded({ actor, action, requestId, object, needs, detail }, async (now) => {
    const still = await findHeld(now, row.id)
    const lapsed = await refuse(still, row.digest)
    return !still || lapsed ? { ok: false, problem: lapsed ?? problem('not_found') } : claimAndSend(now, still.row)
  })
}

async function refuse(found: FoundHeld | null, digest: string): Promise<Problem | null> {
  if (!found) return problem('not_found')
  if (found.own) return ownRequest
  const { row } = found
  if (row.state !== 'waiting') return alreadyOver
  if (isLate(row)) {
    await expireHeld(row)
    return tooLate
  }
  return digest === row.digest ? null : altered
}

/** The row is claimed first, so that of two approvals at once one sends. Whatever follows, the request is over, and nothing of it stays sealed. */
async function claimAndSend(approver: Person, row: HeldRequest): Promise<Outcome<Approved>> {
  const decided = { decidedById: approver.user.id, decidedAt: new Date() }
  if (!(await moveHeld(row, 'waiting', { ...erased, ...decided, state: 'sending' }))) return { ok: false, problem: alreadyOver }
  const outcome = await send(approver, row)
  const why = outcome.ok ? null : outcome.problem
  const state = why === null ? 'sent' : why.code === 'outcome_unknown' ? 'unknown' : 'failed'
  await endHeld(row, 'sending', { state, why, jobId: outcome.ok ? outcome.data.jobId : null })
  const operation = findOperation(row.action)
  const what = operation ? describe(operation, row.targetName) : row.targetName
  await tellAsker(row, { by: approver.user.name, what, outcome: why === null ? 'approved' : 'failed' })
  return outcome
}

async function send(approver: Person, row: HeldRequest): Promise<Outcome<Approved>> {
  const content = await openHeld(row)
  const operation = findOperation(row.action)
  if (content === null || !operation) return { ok: false, problem: altered }
  const { fields, confirmName }: HeldOperation = content
  const may = await decide(approver, operation, targetOf(row), { fields, ...(confirmName !== undefined && { confirmName }) })
  return may.ok ? sendHeld(row, operation, content) : may
}
