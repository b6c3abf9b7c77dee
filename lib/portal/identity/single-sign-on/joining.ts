/** A first sign-in by an identity provider that waits for a fresh sign-in to the existing account, in the same browser. */
import 'server-only'
import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { describeCookie } from '../cookie'
import { endSession, findSession } from '../session'
import { getSessionSecret } from '../session-secret'
import { connectIdentity } from './identities'

/** What the provider said. The browser carries it, encrypted. */
export type Joining = { issuer: string; subject: string; email: string; userId: string }

const seconds = 10 * 60
// A cookie of another purpose does not decrypt with this salt.
const salt = 'gatehouse joining'

/** Only in actions and route handlers. */
export async function keepJoining(joining: Joining): Promise<void> {
  const { name, options } = describeCookie('joining')
  const value = await encode({ token: { ...joining }, secret: getSessionSecret(), maxAge: seconds, salt })
  const store = await cookies()
  store.set({ name, value, maxAge: seconds, ...options })
}

/** Null if this browser has none, or it has expired. */
export async function readJoining(): Promise<Joining | null> {
  const value = (await cookies()).get(describeCookie('joining').name)?.value
  if (!value) return null
  try {
    const token = await decode({ token: value, secret: getSessionSecret(), salt })
    const { issuer, subject, email, userId } = token ?? {}
    if (typeof issuer !== 'string' || typeof subject !== 'string' || typeof email !== 'string' || typeof userId !== 'string') return null
    return { issuer, subject, email, userId }
  } catch {
    return null
  }
}

/** Only in actions and route handlers. */
export async function forgetJoining(): Promise<void> {
  const { name, options } = describeCookie('joining')
  const store = await cookies()
  store.set({ name, value: '', maxAge: 0, ...options })
}

/**
 * Before the cookie of a new session is set: joins the provider's account if it waits for this user. False if the session has ended, as it
 * does if it counts as single sign-on and the account is not joined. Nothing is decided while a second factor is awaited. Only in actions.
 */
export async function completeJoining(sid: string): Promise<boolean> {
  try {
    if (await mayStand(sid)) return true
  } catch (error) {
    await endSession(sid)
    throw error
  }
  await endSession(sid)
  return false
}

async function mayStand(sid: string): Promise<boolean> {
  const session = await findSession({ sid })
  if (session === null) return false
  if (session.awaits !== null) return true
  const joining = await readJoining()
  if (joining !== null) await forgetJoining()
  if (joining?.userId === session.user.id && joining.email === session.user.email)
    return connectIdentity({ ...joining, teamId: session.teamId, sessionId: session.id })
  return session.via !== 'singleSignOn' || (await db().externalIdentity.count({ where: { userId: session.user.id } })) > 0
}

export const joiningFailed = (): Problem =>
  problem('invalid', { sentence: 'Your account could not be connected with the identity provider. Sign in there again.' })
