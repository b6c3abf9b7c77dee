/** What was approved and is for whoever asked alone: a link, or the audit log as a file. It is made when they take it, so it is stored nowhere. */
import 'server-only'
import { type Outcome, type ProblemCode, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { sendsMail } from '@/lib/portal/base/mail/send'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { openHeld } from '@/lib/portal/spine/held/sealed'
import { resendInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { alreadyOver, endHeld, erased, isTakenLate, moveHeld } from './end'
import { expireHeld } from './expire'
import { findHeld } from './find'
import { approverGone, findApprover, keepApproved } from './kept'
import { altered, proven, type SentHeld, stateAfter, wasSent } from './send'

export type TakenLink = { email: string; link: string }

type Make<T> = (input: OwnInput) => Promise<Outcome<T>>

const links: Readonly<Record<string, Make<TakenLink>>> = {
  'invitation.create': inviteMember,
  'invitation.resend': resendInvitation,
  'member.resetLink': createResetLink,
}

/** What whoever asked gets once it is approved; null if it is sent instead. The link of an invitation is mailed where mail is sent. */
export function takenAs(action: string): 'link' | 'file' | null {
  if (action === 'activity.export') return 'file'
  return Object.hasOwn(links, action) && (action === 'member.resetLink' || !sendsMail()) ? 'link' : null
}

export const leaveToAsker = (by: Person, row: HeldRequest): Promise<Outcome<SentHeld>> =>
  keepApproved(by, row, { sendAt: new Date(), state: 'ready', outcome: 'ready' })

/** Fields: heldId, and a proof if the sign-in is not recent. */
export async function takeHeldLink({ actor, field, stepUp }: OwnInput): Promise<Outcome<TakenLink>> {
  const found = await findReady(actor, field('heldId'))
  if (!found.ok) return found
  const { action } = found.data
  const make = Object.hasOwn(links, action) ? links[action] : undefined
  if (!make) return { ok: false, problem: problem('not_found') }
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : take(actor, found.data, make)
}

/**
 * For one action, which `make` does: by whoever asked, until the 60 minutes are over, because a download may break off. What cannot be read or
 * recorded at the moment leaves the request as it is.
 */
export async function takeFile<T>(actor: Person, heldId: string, action: OwnAction, make: Make<T>): Promise<Outcome<T>> {
  const found = await findReady(actor, heldId)
  if (!found.ok) return found
  const row = found.data
  if (row.action !== action) return { ok: false, problem: problem('not_found') }
  const outcome = await makeTaken(actor, row, make)
  if (!outcome.ok && !passing.has(outcome.problem.code)) await endHeld(row, 'ready', { state: 'failed', why: outcome.problem })
  // It may have been refused, withdrawn or ended while this was recorded.
  const stays = await db().heldRequest.count({ where: { id: row.id, digest: row.digest, state: 'ready' } })
  return outcome.ok && stays === 0 ? { ok: false, problem: alreadyOver } : outcome
}

// The audit log could not be written.
const passing: ReadonlySet<ProblemCode> = new Set(['internal', 'outcome_unknown'])

async function findReady(actor: Person, id: string): Promise<Outcome<HeldRequest>> {
  const found = await findHeld(actor, id)
  if (!found?.own) {
    const code = found ? 'forbidden' : 'not_found'
    await recordDenied(actor, 'approval.take', { kind: 'heldRequest', id: found?.row.id ?? id }, code)
    return { ok: false, problem: problem(code) }
  }
  const { row } = found
  if (row.state !== 'ready') return { ok: false, problem: alreadyOver }
  if (!isTakenLate(row)) return { ok: true, data: row }
  return { ok: false, problem: await expireHeld(row) }
}

/** Claimed first, so that of two at once one gets it. Whatever follows, the request is over. */
async function take<T>(actor: Person, row: HeldRequest, make: Make<T>): Promise<Outcome<T>> {
  if (!(await moveHeld(row, 'ready', { ...erased, state: 'sending', sendAt: new Date() }))) return { ok: false, problem: alreadyOver }
  const outcome = await makeTaken(actor, row, async (input) => {
    const sent = await wasSent(row.id)
    return sent ? { ok: false, problem: sent } : make(input)
  })
  const failure = outcome.ok ? null : outcome.problem
  await endHeld(row, 'sending', { state: stateAfter(failure), why: failure })
  return outcome
}

/** Whoever approved it has to be the second person still. */
async function makeTaken<T>(actor: Person, row: HeldRequest, make: Make<T>): Promise<Outcome<T>> {
  const content = await openHeld(row)
  if (content?.kind !== 'own') return { ok: false, problem: altered }
  if (!(await findApprover(row, content))) return { ok: false, problem: approverGone }
  const field = (name: string) => content.fields[name] ?? ''
  return make({ actor, requestId: row.id, field, stepUp: proven, approvedDigest: row.digest })
}
