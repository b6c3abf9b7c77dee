/** Signing in with address and password: throttled, logged, and indistinguishable for unknown addresses. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import type { SignInMethod } from '@/prisma/generated/portal/client'
import { normaliseEmail, parseEmail } from './email'
import { lastingMemberships } from './membership'
import { unlessBusy, verifyPassword } from './password'
import { endSession, openSession } from './session'
import { logSignIn } from './sign-in-log'
import { barredReason, requiresSingleSignOn, singleSignOnOnly } from './single-sign-on/required'
import { countTry, findSource, forgiveTry } from './throttle'

export type Credentials = { email: string; password: string }

/**
 * The browser's cookies: the session that the sign-in replaces, its device token, and the user whose account at the identity provider it
 * joins.
 */
export type Carried = { sid: string | null; deviceToken: string | null; joiningUserId?: string | null }

const nothing: Carried = { sid: null, deviceToken: null }

/** Signs a user in, or returns the reason why not. Writes a line to the process log either way. */
export async function signInWithPassword(
  given: Credentials,
  device: Device,
  carried: Carried = nothing,
): Promise<Outcome<{ sid: string }>> {
  const signedIn = await checkAndOpen(given, device, carried)
  logSignIn(signedIn, given.email, device)
  return signedIn
}

/**
 * Checks the credentials and opens a session. Its id is always new, and the browser's previous session ends. A user who is unknown,
 * disabled, without a team or without a password gets the same message, after the same delay, as for a wrong password.
 */
async function checkAndOpen(given: Credentials, device: Device, carried: Carried): Promise<Outcome<{ sid: string }>> {
  const source = await findSource(given.email, device.peer, carried.deviceToken)
  const refusal = await countTry(given.email, source)
  if (refusal) return { ok: false, problem: refusal }
  const found = await findPerson(given, device, carried.joiningUserId ?? null)
  if (!found.ok) return found
  const person = found.data
  if (!person) return { ok: false, problem: problem('invalid', { sentence: 'Wrong email address or password.' }) }
  await forgiveTry(given.email, source)
  const { userId, teamId, via } = person
  if (carried.sid !== null) await endSession(carried.sid)
  return { ok: true, data: { sid: await openSession({ userId, teamId }, device, via) } }
}

/** via: single sign-on if the browser has just been at the provider too. */
type Person = { userId: string; teamId: string; via: SignInMethod }

/** The user with these credentials; null if they are wrong. Logs success or failure. */
async function findPerson({ email, password }: Credentials, device: Device, joiningUserId: string | null): Promise<Outcome<Person | null>> {
  const user = await findUser(email)
  const matches = await unlessBusy(verifyPassword(user?.passwordHash ?? null, password))
  if (!matches.ok) return matches
  const membership = user?.memberships[0]
  const teamId = membership?.teamId ?? null
  const matching = matches.data && user && !user.disabledAt && membership ? { user, membership } : null
  const via = joiningUserId !== null && joiningUserId === user?.id ? 'singleSignOn' : 'password'
  // Only whoever knows the password learns of this.
  const barred = matching !== null && via === 'password' && requiresSingleSignOn(matching.membership)
  await recordSignIn(user?.id ?? null, teamId, device, matching && !barred ? 'done' : 'failed', barred ? barredReason : null)
  if (barred) return { ok: false, problem: singleSignOnOnly() }
  return { ok: true, data: matching && { userId: matching.user.id, teamId: matching.membership.teamId, via } }
}

/** Invalid addresses are looked up too, as a text that no row contains (none ends in a space): the timing must not reveal them. */
function findUser(email: string) {
  return db().user.findUnique({
    where: { email: parseEmail(email) ?? `${normaliseEmail(email)} ` },
    select: {
      id: true,
      email: true,
      passwordHash: true,
      disabledAt: true,
      memberships: {
        where: lastingMemberships(),
        select: { teamId: true, role: true, team: { select: { requiresSingleSignOn: true } } },
        orderBy: { createdAt: 'asc' },
        take: 1,
      },
    },
  })
}

/** Does not log the address as typed, because users also type passwords into that field. */
export function recordSignIn(
  userId: string | null,
  teamId: string | null,
  { peer, userAgent }: Device,
  outcome: 'done' | 'failed',
  reason: string | null = null,
): Promise<void> {
  return recordAudit({
    teamId,
    actor: outcome === 'done' && userId ? { kind: 'user', id: userId, sessionId: null } : { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: userId },
    stage: 'event',
    outcome,
    detail: { peer, userAgent, reason },
  })
}
