/** next-auth's configuration: the same check, session rows and cookie as the sign-in page. */
import 'server-only'
import type { AuthOptions } from 'next-auth'
import credentials from 'next-auth/providers/credentials'
import { log } from '@/lib/log'
import { readDevice } from '@/lib/portal/base/request/device'
import { getSettings } from '@/lib/settings/settings'
import { findActorBySid } from './actor'
import { describeCookie, readSid, sessionSeconds } from './cookie'
import { readDeviceToken, rememberThisDevice } from './known-device'
import { getSessionSecret } from './session-secret'
import { signInWithPassword } from './sign-in'
import { signOutSession } from './sign-out'
import { isToken } from './token'

/** Created per request, because the session secret's file does not exist during the build. */
export function authOptions(): AuthOptions {
  const { publicUrl, secureCookies } = getSettings()
  // next-auth reads its own address only from here; without it, it assumes localhost:3000.
  process.env.NEXTAUTH_URL = publicUrl.origin
  return {
    secret: getSessionSecret(),
    useSecureCookies: secureCookies,
    session: { strategy: 'jwt', maxAge: sessionSeconds },
    cookies: {
      sessionToken: describeCookie('session'),
      csrfToken: describeCookie('csrf'),
      callbackUrl: describeCookie('callback'),
    },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in', verifyRequest: '/sign-in', newUser: '/servers' },
    providers: [
      credentials({
        name: 'password',
        credentials: { email: { label: 'Email', type: 'email' }, password: { label: 'Password', type: 'password' } },
        authorize: async (given) => authorise(given),
      }),
    ],
    callbacks: {
      // Leaves out next-auth's defaults (name, address, picture): the token contains only the session id.
      jwt: async ({ token, user }) => ({ sid: await requireLiveSid(user ? user.id : token.sid) }),
      session: async ({ session, token }) => {
        const actor = isToken(token.sid) ? await findActorBySid(token.sid) : null
        return { expires: session.expires, user: actor ? { name: actor.user.name, email: actor.user.email } : {} }
      },
      redirect: async () => `${publicUrl.origin}/servers`,
    },
    events: {
      signOut: async ({ token }) => {
        if (isToken(token?.sid)) await signOutSession(token.sid)
      },
    },
    logger: {
      error: (code) => log.info({ code }, 'next-auth error'),
      warn: (code) => log.warn({ code }, 'next-auth warning'),
      debug: () => {},
    },
  }
}

/** next-auth calls the result a user, but its id is the new session's id. */
async function authorise(given: Record<string, unknown> | undefined): Promise<{ id: string } | null> {
  const { email, password } = given ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return null
  const signedIn = await signInWithPassword({ email, password }, await readDevice(), {
    sid: await readSid(),
    deviceToken: await readDeviceToken(),
  })
  if (!signedIn.ok) return null
  await rememberThisDevice(signedIn.data.sid)
  return { id: signedIn.data.sid }
}

/** Throws unless the session is still valid, which makes next-auth delete the cookie. */
async function requireLiveSid(sid: unknown): Promise<string> {
  if (isToken(sid) && (await findActorBySid(sid))) return sid
  throw new Error('the session has ended')
}
