/** next-auth's configuration: every way in ends in its callbacks, which decide the session id that the cookie contains. */
import 'server-only'
import type { AuthOptions } from 'next-auth'
import { log } from '@/lib/log'
import { readReturnPath } from '@/lib/portal/base/request/return-path'
import { getSettings } from '@/lib/settings/settings'
import { findActorBySid, isLiveSid } from './actor'
import { describeCookie, sessionSeconds } from './cookie'
import { rememberThisDevice } from './known-device'
import { getSessionSecret } from './session-secret'
import { signOutSession } from './sign-out'
import { isToken } from './token'

/**
 * Created per request, because the session secret's file does not exist during the build. `providers`: the ways in of this request. For
 * next-auth the result of a way in is a user, but its id is the new session's id.
 */
export function authOptions(providers: AuthOptions['providers'] = []): AuthOptions {
  const { publicUrl, secureCookies } = getSettings()
  // next-auth reads its own address only from here; without it, it assumes localhost:3000.
  process.env.NEXTAUTH_URL = publicUrl.origin
  return {
    secret: getSessionSecret(),
    useSecureCookies: secureCookies,
    session: { strategy: 'jwt', maxAge: sessionSeconds },
    jwt: { maxAge: sessionSeconds },
    cookies: {
      sessionToken: describeCookie('session'),
      csrfToken: describeCookie('csrf'),
      callbackUrl: describeCookie('callback'),
      state: roundTripCookie('state'),
      nonce: roundTripCookie('nonce'),
      pkceCodeVerifier: roundTripCookie('pkce'),
    },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in', verifyRequest: '/sign-in', newUser: '/servers' },
    providers,
    callbacks: {
      // Leaves out next-auth's defaults (name, address, picture): the token contains only the session id.
      jwt: async ({ token, user }) => ({ sid: await requireLiveSid(user ? user.id : token.sid) }),
      session: async ({ session, token }) => {
        const actor = isToken(token.sid) ? await findActorBySid(token.sid) : null
        return { expires: session.expires, user: actor ? { name: actor.user.name, email: actor.user.email } : {} }
      },
      redirect: async ({ url }) => publicUrl.origin + pathOf(url, publicUrl.origin),
    },
    events: {
      signIn: async ({ user }) => {
        await rememberThisDevice(user.id)
      },
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

/** How long the way to an identity provider and back may take. */
const roundTripSeconds = 10 * 60

function roundTripCookie(name: string) {
  const { options, ...rest } = describeCookie(name)
  return { ...rest, options: { ...options, maxAge: roundTripSeconds } }
}

/** The path of an address that next-auth would redirect to; Home for an address of another site. */
const pathOf = (url: string, origin: string): string => readReturnPath(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)

/** Throws unless the session is still valid, or awaits a second factor, which makes next-auth delete the cookie. */
async function requireLiveSid(sid: unknown): Promise<string> {
  if (isToken(sid) && (await isLiveSid(sid))) return sid
  throw new Error('the session has ended')
}
