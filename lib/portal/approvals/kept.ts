/** Keeps what was approved until it is sent at its time, or taken by whoever asked. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { type HeldContent, openHeld, sealHeld } from '@/lib/portal/spine/held/sealed'
import { whatOf } from '@/lib/portal/spine/held/what'
import type { HeldRequest } from '@/prisma/generated/portal/client'
import { alreadyOver, endHeld, moveHeld, tellDecided } from './end'
import { keepSeen } from './find'
import { altered, type SentHeld } from './send'

type Approved = { sendAt: Date; state: 'approved' | 'ready'; outcome: 'scheduled' | 'ready' }

/** What is sealed is bound to the time and to whoever approved it, and names the session of the approval. */
export async function keepApproved(by: Person, row: HeldRequest, { sendAt, state, outcome }: Approved): Promise<Outcome<SentHeld>> {
  const content = await openHeld(row)
  if (content === null) {
    await endHeld(row, 'waiting', { state: 'failed', why: altered })
    return { ok: false, problem: altered }
  }
  const decided = { decidedById: by.user.id, decidedAt: new Date(), sendAt }
  const sealed = await sealHeld({ ...row, ...decided }, { ...content, approvedIn: by.sessionId })
  if (!(await moveHeld(row, 'waiting', { ...decided, ...sealed, state }))) return { ok: false, problem: alreadyOver }
  await tellDecided(row, { by: by.user.name, what: whatOf(row), outcome })
  return { ok: true, data: { page: null } }
}

export const approverGone = problem('forbidden', {
  sentence: 'Whoever approved this lost the right to it, is not a member any more, or was signed out by somebody else.',
})

/** Whoever approved it, as they are now; null if they could not be its second person any more. content: of the row. */
export async function findApprover(row: HeldRequest, { approvedIn }: HeldContent): Promise<Person | null> {
  const session = { sessionId: approvedIn ?? '', user: { id: row.decidedById ?? '' }, team: { id: row.teamId } }
  const approver = await recheckSame(session, { evenSignedOut: true })
  const [found] = approver ? await keepSeen(approver, [row]) : []
  return found?.mayDecide ? approver : null
}
