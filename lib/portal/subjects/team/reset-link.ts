/** A one-time link with which a member sets a new password, made by an admin. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayManage, roleNames } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { storeLink } from '@/lib/portal/identity/one-time-link'
import type { MakerRule } from '@/lib/portal/identity/recovery'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import type { Second } from '@/lib/portal/spine/held/own'
import { refuseTurnedOn } from '@/lib/portal/spine/held/rule'
import type { Prisma } from '@/prisma/generated/portal/client'
import { refuseUnknown, runForTeam } from './recorded'

const action = 'member.resetLink' as const

const ownersBySelf = 'Nobody can reset an owner’s password here. The server administrator can: ./gatehouse owner recover EMAIL'
const byMail = 'Members ask for a link themselves: Forgot password, on the sign-in page, mails it.'

/** Fields: memberId, and password if the sign-in is not recent. Never for an owner or a higher role, nor where mail is sent. */
export async function createResetLink(input: OwnInput): Promise<Outcome<{ email: string; link: string }>> {
  const { actor, requestId, field, stepUp, approvedDigest } = input
  const [id, teamId] = [field('memberId'), actor.team.id]
  const find = (role?: 'owner', client: Prisma.TransactionClient = db()) =>
    client.membership.findFirst({
      where: { userId: id, teamId, ...(role && { role }), ...lastingMemberships(), user: { disabledAt: null } },
      include: { user: { select: { email: true } } },
    })
  const target = isOpaqueId(id) ? await find() : null
  const object = { kind: 'user', id } as const
  if (!target) return refuseUnknown(actor, action, object)
  const refusal = target.role === 'owner' ? ownersBySelf : sendsMail() ? byMail : null
  if (refusal !== null) {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: refusal }) }
  }
  const { email } = target.user
  const second: Second = {
    fields: pickFields(input, ['memberId']),
    what: `Make a link that resets the password of ${email}`,
    now: { Role: roleNames[target.role] },
    approvedDigest,
  }
  const detail = { email, role: target.role }
  const change = { actor, action, requestId, object, detail, touches: [target.role], prove: stepUp, second }
  return runForTeam(change, async (now) => {
    const approved = approvedDigest !== undefined
    return inTransaction(async (tx) => {
      const link = await storeLink(tx, 'reset', id, { createdById: now.user.id, approved })
      // The rule may have been turned on since it was checked, and they may have become an owner.
      const held = await refuseTurnedOn(tx, teamId, action, approvedDigest)
      if (held) return { ok: false, problem: held }
      return (await find('owner', tx))
        ? { ok: false, problem: problem('forbidden', { sentence: ownersBySelf }) }
        : { ok: true, data: { email, link } }
    })
  })
}

/** The same rule when the link is used: the maker is a member who may still change this one, and nobody made them an owner. */
export const mayResetStill: MakerRule = async ({ userId, createdById }, tx) => {
  const find = (id: string) => tx.membership.findMany({ where: { userId: id, ...lastingMemberships(), user: { disabledAt: null } } })
  const [makers, own] = [await find(createdById), await find(userId)]
  if (own.some(({ role }) => role === 'owner')) return false
  return own.some(({ teamId, role }) => makers.some((maker) => maker.teamId === teamId && mayManage(maker.role, role)))
}
