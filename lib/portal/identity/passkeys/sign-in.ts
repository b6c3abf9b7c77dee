/** Signing in with a passkey alone. It verified the user by finger, face or PIN, so it counts as both factors. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { lastingMemberships } from '../membership'
import { endSession, openSession } from '../session'
import type { Carried } from '../sign-in'
import { logSignIn } from '../sign-in-log'
import { barredReason, requiresSingleSignOn, singleSignOnOnly } from '../single-sign-on/required'
import { checkPasskey, refusePasskey } from './check'

/** boundTo: the browser that asked for the challenge. email: the only account that may sign in; null for any. */
export type PasskeyEntry = { passkey: string; boundTo: string; email: string | null }

/**
 * Opens a session with a new id; the browser's previous one ends. A user who is disabled or without a team gets the same answer as
 * an unknown passkey.
 */
export async function signInWithPasskey(given: PasskeyEntry, device: Device, carried: Carried): Promise<Outcome<{ sid: string }>> {
  const checked = await checkPasskey(given.passkey, { purpose: 'signIn', boundTo: given.boundTo })
  const user = checked.userId === null ? null : await findUser(checked.userId)
  const membership = user?.memberships[0]
  const teamId = membership?.teamId ?? null
  const welcome = checked.ok && user && !user.disabledAt && membership
  if (!welcome) {
    const reason = checked.ok ? 'not a member' : checked.reason
    if (reason !== null) await record({ userId: checked.userId, teamId, reason }, device)
    return refuse(refusePasskey(), device)
  }
  if (given.email !== null && given.email !== user.email) {
    await record({ userId: user.id, teamId, reason: 'another account' }, device)
    const why = `This passkey belongs to another account. Sign in as ${given.email}.`
    return refuse(problem('invalid', { fields: { passkey: why } }), device)
  }
  // Whoever has just been at the identity provider too signs in by both.
  const via = carried.joiningUserId === user.id ? 'singleSignOn' : 'passkey'
  if (via === 'passkey' && requiresSingleSignOn(membership)) {
    await record({ userId: user.id, teamId, reason: barredReason }, device)
    return refuse(singleSignOnOnly(), device)
  }
  await record({ userId: user.id, teamId, reason: null }, device)
  if (carried.sid !== null) await endSession(carried.sid)
  const sid = await openSession({ userId: user.id, teamId: membership.teamId }, device, via, { bothFactors: true })
  logSignIn({ ok: true, data: null }, user.email, device)
  return { ok: true, data: { sid } }
}

function refuse(why: Problem, device: Device): { ok: false; problem: Problem } {
  const refusal = { ok: false, problem: why } as const
  logSignIn(refusal, '', device)
  return refusal
}

const findUser = (id: string) =>
  db().user.findUnique({
    where: { id },
    select: {
      id: true,
      email: true,
      disabledAt: true,
      memberships: {
        where: lastingMemberships(),
        select: { teamId: true, role: true, team: { select: { requiresSingleSignOn: true } } },
        orderBy: { createdAt: 'asc' },
        take: 1,
      },
    },
  })

type Tried = { userId: string | null; teamId: string | null; reason: string | null }

function record({ userId, teamId, reason }: Tried, { peer, userAgent }: Device): Promise<void> {
  return recordAudit({
    teamId,
    actor: reason === null && userId !== null ? { kind: 'user', id: userId, sessionId: null } : { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: userId },
    stage: 'event',
    outcome: reason === null ? 'done' : 'failed',
    detail: { peer, userAgent, via: 'a passkey', reason },
  })
}
