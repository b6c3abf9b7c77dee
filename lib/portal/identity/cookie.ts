/** The session cookie: an encrypted JWT that carries the sid and nothing else. next-auth's own route reads and writes the same. */
import 'server-only'
import type { RequestCookies } from '@edge-runtime/cookies'
import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { getSettings } from '@/lib/settings/settings'
import { absoluteMs } from './session'
import { getSessionSecret } from './session-secret'
import { isToken } from './token'

export const sessionSeconds = absoluteMs / 1000

/** A cookie of ours by its short name. __Host- ties it to this very host, over https only. */
export function describeCookie(shortName: string) {
  const secure = getSettings().secureCookies
  return {
    name: `${secure ? '__Host-' : ''}gatehouse-${shortName}`,
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
  } as const
}

/** The cookie's value for a sid. */
export function sealSid(sid: string): Promise<string> {
  return encode({ token: { sid }, secret: getSessionSecret(), maxAge: sessionSeconds })
}

// Decoding skips odd bytes, and bits at the end of a part that count for nothing: one session has one cookie.
const isWrittenOut = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/** exp: seconds since 1970 */
type Opened = { sid: string; exp: number }

// A browser sends the same value with every request, and opening it takes longer than all that is asked of its session.
const opened = new Map<string, Opened>()
const maxOpened = 1000

/** The sid in a cookie's value, or null for anything we did not make: other algorithms, other secrets, expired, odd bytes. */
export async function openSid(value: string): Promise<string | null> {
  const known = opened.get(value)
  if (known && known.exp > Date.now() / 1000) return known.sid
  opened.delete(value)
  const found = await decodeSid(value)
  if (opened.size >= maxOpened) opened.clear()
  if (found) opened.set(value, found)
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

/** The sid this request came with, unchecked against the session rows. For pages and actions. */
export async function readSid(): Promise<string | null> {
  return openSidAmong(await cookies())
}

/** The same of cookies that did not come by Next. */
export async function openSidAmong(sent: Pick<RequestCookies, 'get'>): Promise<string | null> {
  const value = sent.get(describeCookie('session').name)?.value
  return value ? openSid(value) : null
}

/** Gives the browser its session. Only in actions and route handlers. */
export async function writeSid(sid: string): Promise<void> {
  const { name, options } = describeCookie('session')
  const store = await cookies()
  store.set({ name, value: await sealSid(sid), maxAge: sessionSeconds, ...options })
}

/** Takes the cookie away. A __Host- cookie goes only when all its attributes are said again. */
export async function clearSid(): Promise<void> {
  const { name, options } = describeCookie('session')
  const store = await cookies()
  store.set({ name, value: '', maxAge: 0, ...options })
}
