/** What every member's next sign-in must have: rules of the team, which owners change. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { hasSecondFactor } from '@/lib/portal/identity/second-factor/awaited'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runRecorded } from '@/lib/portal/spine/recorded'

/** One rule. refusal: why the reader may not turn it on now. */
export type SignInRule = { on: boolean; refusal: string | null }

const ownFirst = 'Set up a second factor for your own account first.'
export const ownersOnly = 'Only an owner can change the rules for signing in.'

export const forbid = (sentence: string): Problem => problem('forbidden', { sentence })

/** For the page Team. */
export async function readSecondFactorRule(actor: Person): Promise<SignInRule> {
  const [team, own] = await Promise.all([
    db().team.findUniqueOrThrow({ where: { id: actor.team.id }, select: { requiresSecondFactor: true } }),
    hasSecondFactor(actor.user.id),
  ])
  return { on: team.requiresSecondFactor, refusal: own ? null : ownFirst }
}

/**
 * Fields: required (`yes` or `no`), and password if the sign-in is not recent. Sessions stay as they are: the rule counts from the next
 * sign-in on.
 */
export async function setSecondFactorRule({ actor, requestId, field, stepUp }: OwnInput): Promise<Outcome<null>> {
  const given = field('required')
  if (given !== 'yes' && given !== 'no') return { ok: false, problem: problem('invalid') }
  const required = given === 'yes'
  const action = required ? 'team.requireSecondFactor' : 'team.waiveSecondFactor'
  const object = { kind: 'team', id: actor.team.id } as const
  if (actor.role !== 'owner') {
    await recordDenied(actor, action, object, 'forbidden')
    return { ok: false, problem: forbid(ownersOnly) }
  }
  if (required && !(await hasSecondFactor(actor.user.id))) return { ok: false, problem: forbid(ownFirst) }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const needs = { subject: 'team', effect: 'change' } as const
  return runRecorded({ actor, action, requestId, object, needs, detail: {} }, async (now) =>
    now.role === 'owner' ? write(now, required) : { ok: false, problem: forbid(ownersOnly) },
  )
}

/** Refused if whoever turns the rule on has no second factor. The write first, so that their last one cannot be removed meanwhile. */
function write({ team, user }: Person, requiresSecondFactor: boolean): Promise<Outcome<null>> {
  return inTransaction(async (tx) => {
    await tx.team.update({ where: { id: team.id }, data: { requiresSecondFactor } })
    const allowed = !requiresSecondFactor || (await hasSecondFactor(user.id, tx))
    return allowed ? { ok: true, data: null } : { ok: false, problem: forbid(ownFirst) }
  })
}
