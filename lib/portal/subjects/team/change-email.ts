/** Changes a member's address where Gatehouse sends no mail, so that the member cannot prove a new one. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { invalidEmail, parseEmail, refuseEmail } from '@/lib/portal/identity/email'
import { dropLinks } from '@/lib/portal/identity/one-time-link'
import { endOtherSessions } from '@/lib/portal/identity/session'
import { notify } from '@/lib/portal/notifications/notify'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findTarget } from './change-member'
import { changeMembership } from './membership-change'
import { refuseUnknown, runForTeam } from './recorded'

const action = 'member.changeEmail' as const

const byThemselves = 'Members change their own address on the page Account: the new one is proven by a mail.'
const taken = refuseEmail('Another account has this address.').problem

/** Fields: memberId, email, and password if the sign-in is not recent. The member's sessions and unused links end. */
export async function changeMemberEmail({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<{ name: string }>> {
  const [id, email] = [field('memberId'), parseEmail(field('email'))]
  const object = { kind: 'user', id } as const
  const target = await findTarget(actor.team.id, id)
  if (!target) return refuseUnknown(actor, action, object)
  if (sendsMail()) return { ok: false, problem: problem('forbidden', { sentence: byThemselves }) }
  if (email === null) return refuseEmail(invalidEmail)
  if (email === target.email) return refuseEmail('The account has this address already.')
  const detail = { email: target.email, address: email }
  const change = { actor, action, requestId, object, detail, touches: [target.role], prove: stepUp }
  const write = async (tx: Prisma.TransactionClient) => {
    const where = { id, email: target.email, memberships: { some: { teamId: target.teamId, role: target.role } } }
    if ((await tx.user.updateMany({ where, data: { email, emailProvenAt: null } })).count === 0) return null
    await endOtherSessions({ userId: id, keep: actor.sessionId }, tx)
    await dropLinks(id, tx)
    return true
  }
  const done = await runForTeam(change, (now) => changeMembership(now, target, [target.role], write, { taken }))
  if (!done.ok) return done
  const what = { kind: 'email_changed', onceKey: `email:${requestId}`, subject: object } as const
  await notify({ teamId: target.teamId, userIds: [id], ...what, detail: { email, by: actor.user.name } })
  return { ok: true, data: { name: target.name } }
}
