/** Asks a user to prove who they are again before an irreversible action, unless they did recently. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { type Device, readDevice } from '@/lib/portal/base/request/device'
import type { Person } from './actor'
import { checkPassword, eventOf } from './check-password'
import { writeSid } from './cookie'
import { readDeviceToken } from './known-device'
import { checkOwnPasskey } from './passkeys/check-own'
import { whyNoPasskeys } from './passkeys/relying-party'
import { checkCode } from './second-factor/check-code'
import { renewSession } from './session'

const freshMs = 5 * 60_000

/** What a form contains: one of them, or none yet. */
export type Proof = { password: string; code: string; passkey: string }

export const readProof = (field: (name: string) => string): Proof => ({
  password: field('password'),
  code: field('code'),
  passkey: field('passkey'),
})

/**
 * Null if the user signed in or confirmed in the last 5 minutes, or the proof is right: the session then continues under a new id.
 * Otherwise a problem: its fields are what this user can prove it with, or `signIn` if that is nothing but a new sign-in. Only in
 * actions, because it may set the cookie.
 */
export async function stepUp(actor: Person, given: Proof): Promise<Problem | null> {
  if (Date.now() - actor.stepUpAt.getTime() < freshMs) return null
  const device = await readDevice()
  const proven = await checkProof(actor, given, device)
  if (proven === null) return problem('invalid', { fields: await findWays(actor.user.id) })
  if (!proven.ok) return proven.problem
  const sid = await renewSession(actor.sessionId)
  if (sid === null) return problem('signed_out')
  await writeSid(sid)
  const detail = { peer: device.peer, userAgent: device.userAgent, via: proven.data.via }
  await recordAudit({ ...eventOf(actor, 'session.stepUp'), stage: 'event', outcome: 'done', detail })
  return null
}

/** How it was proven; undefined: with the password. Null if nothing was given. */
async function checkProof(actor: Person, { password, code, passkey }: Proof, device: Device): Promise<Outcome<{ via?: string }> | null> {
  const action = 'session.stepUp'
  if (passkey !== '') return checkOwnPasskey(actor, { passkey, purpose: 'stepUp', action }, device)
  if (code !== '') return checkCode(actor, { code, action, appOnly: true }, device, await readDeviceToken())
  if (password === '') return null
  const checked = await checkPassword(actor, { password, field: 'password', action }, device, await readDeviceToken())
  return checked.ok ? { ok: true, data: {} } : checked
}

/** Each way that this user has, with its sentence. */
async function findWays(userId: string): Promise<Record<string, string>> {
  const select = { passwordHash: true, totp: { select: { confirmedAt: true } }, _count: { select: { passkeys: true } } }
  const user = await db().user.findUnique({ where: { id: userId }, select })
  const ways = {
    ...(user?.passwordHash && { password: 'Confirm your password to continue.' }),
    ...(user && user._count.passkeys > 0 && whyNoPasskeys() === null && { passkey: 'Use your passkey to continue.' }),
    ...(user?.totp?.confirmedAt && { code: 'Enter a code to continue.' }),
  }
  return Object.keys(ways).length > 0 ? ways : { signIn: 'Sign in again to continue.' }
}
