/** Whether every member but the owners has to use single sign-on. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { may } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { hasSecondFactor } from '@/lib/portal/identity/second-factor/awaited'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { getSettings } from '@/lib/settings/settings'
import type { Prisma } from '@/prisma/generated/portal/client'
import { runForTeam } from './recorded'
import type { SignInRule } from './sign-in-rules'

/**
 * unprotected: names of owners without a second factor, whose password alone is the way around it until their next sign-in. None for those
 * who may not change the team.
 */
export type SingleSignOnRule = SignInRule & { provider: string; unprotected: string[] }

/** Null without single sign-on, unless the rule is on and has to be shown to be turned off. */
export async function findSingleSignOnRule(actor: Person): Promise<SingleSignOnRule | null> {
  const { singleSignOn } = getSettings()
  const team = await db().team.findUnique({ where: { id: actor.team.id }, select: { requiresSingleSignOn: true } })
  const on = team?.requiresSingleSignOn === true
  if (singleSignOn === null && !on) return null
  const unprotected = may(actor.role, 'team', 'change') ? await findUnprotected(actor.team.id) : []
  return { provider: singleSignOn?.name ?? 'single sign-on', on, refusal: await refuseOn(actor), unprotected }
}

async function findUnprotected(teamId: string): Promise<string[]> {
  const owners = await db().membership.findMany({
    where: { teamId, role: 'owner', ...lastingMemberships(), user: { disabledAt: null, ...withoutSecondFactor } },
    select: { user: { select: { name: true } } },
  })
  return owners.map(({ user }) => user.name)
}

const withoutSecondFactor = { passkeys: { none: {} }, OR: [{ totp: null }, { totp: { confirmedAt: null } }] }

async function refuseOn({ user }: Person, client: Prisma.TransactionClient = db()): Promise<string | null> {
  const { singleSignOn } = getSettings()
  if (singleSignOn === null) return 'Single sign-on is not set up.'
  const joined = await client.externalIdentity.count({ where: { userId: user.id, issuer: singleSignOn.issuer } })
  if (joined === 0) return `Connect your own account with ${singleSignOn.name} first, on the page Account.`
  const protects = await hasSecondFactor(user.id, client)
  return protects ? null : 'Set up a second factor for your own account first: with your password, it is the way back.'
}

/** Fields: required (yes or no), and password if the sign-in is not recent. Members who signed in another way are signed out. */
export async function requireSingleSignOn({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<{ on: boolean }>> {
  const asked = field('required')
  if (asked !== 'yes' && asked !== 'no') return { ok: false, problem: problem('invalid') }
  const on = asked === 'yes'
  // Checked again below; a refusal before the change needs no entry. Other roles are refused with one.
  const early = on && actor.role === 'owner' ? await refuseOn(actor) : null
  if (early !== null) return { ok: false, problem: problem('forbidden', { sentence: early }) }
  const { id } = actor.team
  const object = { kind: 'team', id } as const
  const recorded = {
    actor,
    action: 'team.requireSingleSignOn',
    requestId,
    object,
    detail: { state: on ? 'on' : 'off' },
    touches: ['owner'],
  } as const
  return runForTeam({ ...recorded, prove: stepUp }, (now) => write(now, on))
}

/** The write first, so that the way back cannot be removed meanwhile. */
function write(now: Person, on: boolean): Promise<Outcome<{ on: boolean }>> {
  const teamId = now.team.id
  return inTransaction(async (tx) => {
    await tx.team.update({ where: { id: teamId }, data: { requiresSingleSignOn: on } })
    const refusal = on ? await refuseOn(now, tx) : null
    if (refusal !== null) return { ok: false, problem: problem('forbidden', { sentence: refusal }) }
    const others = { memberships: { some: { teamId, role: { not: 'owner' } } } } as const
    if (on)
      await tx.session.updateMany({
        where: { teamId, via: { not: 'singleSignOn' }, revokedAt: null, user: others },
        data: { revokedAt: new Date() },
      })
    return { ok: true, data: { on } }
  })
}
