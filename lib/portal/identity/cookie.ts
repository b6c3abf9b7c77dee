/** The session cookie: an encrypted JWT that contains only the session id. next-auth's own route uses the same cookie. */
import 'server-only'
import type { RequestCookies } from '@edge-runtime/cookies'
import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { processState } from '@/lib/portal/base/process-state'
import { getSettings } from '@/lib/settings/settings'
import { absoluteMs } from './session'
import { getSessionSecret } from './session-secret'
import { isToken } from './token'

export const sessionSeconds = absoluteMs / 1000

/** The full definition of a cookie by its short name. __Host- ties it to this host, and to https. */
export function describeCookie(shortName: string) {
  const secure = getSettings().secureCookies
  return {
    name: `${secure ? '__Host-' : ''}gatehouse-${shortName}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  } as const
}

/** The cookie's value for a session id. */
export function sealSid(sid: string): Promise<string> {
  return encode({ token: { sid }, secret: getSessionSecret(), maxAge: sessionSeconds })
}

// Decoders ignore stray bytes and unused trailing bits; this check ensures that one session has only one valid cookie value.
const isWrittenOut = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/** exp: seconds since 1970. */
type Opened = { sid: string; exp: number }

// Browsers send the same value with every request, and decrypting it takes longer than the rest of the session check.
const opened = processState('opened cookies', () => new Map<string, Opened>())
const maxOpened = 1000

/** The session id in a cookie's value; null if it is malformed, expired, or made with another algorithm or secret. */
export async function openSid(value: string): Promise<string | null> {
  const cache = opened()
  const known = cache.get(value)
  if (known && known.exp > Date.now() / 1000) return known.sid
  cache.delete(value)
  const found = await decodeSid(value)
  if (cache.size >= maxOpened) cache.clear()
  if (found) cache.set(value, found)
  return found?.sid ?? null
}

async function decodeSid(value: string): Promise<Opened | null> {
  if (!value.split('.').every(isWrittenOut)) return null
  try {
    const token = await decode({ token: value, secret: getSessionSecret() })
    return isToken(token?.sid) && typeof token.exp === 'number' ? { sid: token.sid, exp: token.exp } : null
  } catch {
    return null
  }
}

/** The session id of this request, not yet checked against the database. For pages and actions. */
export async function readSid(): Promise<string | null> {
  return openSidAmong(await cookies())
}

/** The same for cookies that do not come from Next. */
export async function openSidAmong(sent: Pick<RequestCookies, 'get'>): Promise<string | null> {
  const value = sent.get(describeCookie('session').name)?.value
  return value ? openSid(value) : null
}

/** Sets the browser's session cookie. Only in actions and route handlers. */
export async function writeSid(sid: string): Promise<void> {
  const { name, options } = describeCookie('session')
  const store = await cookies()
  store.set({ name, value: await sealSid(sid), maxAge: sessionSeconds, ...options })
}

/** Deletes the cookie. A __Host- cookie is deleted only if all its attributes are repeated. */
export async function clearSid(): Promise<void> {
  const { name, options } = describeCookie('session')
  const store = await cookies()
  store.set({ name, value: '', maxAge: 0, ...options })
}
