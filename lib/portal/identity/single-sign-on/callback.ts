/** The identity provider sends browsers back here: next-auth checks its answer, then `enter` decides. Ends on a page in every case. */
import 'server-only'
import { cookies } from 'next/headers'
import { log } from '@/lib/log'
import { type Device, readDevice } from '@/lib/portal/base/request/device'
import { getSettings } from '@/lib/settings/settings'
import { describeCookie, readSid } from '../cookie'
import { authOptions } from '../next-auth'
import { runCallback } from '../run-next-auth'
import { countChallenge } from '../throttle'
import { type Claims, parseClaims } from './claims'
import { forgetJoining, type Joining, keepJoining } from './joining'
import { providerId, singleSignOnProvider } from './provider'

type Entry = { sid: string } | { refused: string } | { confirm: Pick<Joining, 'userId' | 'email'> }
type Enter = (claims: Claims, device: Device, carriedSid: string | null) => Promise<Entry>

/** `search`: the parameters that the provider added. Returns where to redirect the browser. Only in route handlers, because it sets cookies. */
export async function answerCallback(search: URLSearchParams, enter: Enter): Promise<URL> {
  const { publicUrl } = getSettings()
  const store = await cookies()
  const failed = new URL('/sign-in?sso=failed', publicUrl)
  // next-auth asks the provider for its addresses before it checks anything, so strangers could make the portal call it without end.
  if (store.get(describeCookie('state').name) === undefined) return failed
  if (await countChallenge((await readDevice()).peer)) return failed
  try {
    const provider = singleSignOnProvider()
    const sent = { search: Object.fromEntries(search), cookies: Object.fromEntries(store.getAll().map(({ name, value }) => [name, value])) }
    const reply = provider && (await runCallback(providerId, sent, withEntry(authOptions([provider]), enter)))
    for (const cookie of reply?.cookies ?? []) store.set(cookie)
    const to = reply?.location ?? ''
    // next-auth's own pages, to which it redirects after an error, are closed.
    if (to.startsWith(`${publicUrl.origin}/`) && !to.startsWith(`${publicUrl.origin}/api/`)) return new URL(to)
  } catch (error) {
    log.error({ err: error }, 'single sign-on failed')
  }
  // The error of somebody who cancels at the provider.
  return search.get('error') === 'access_denied' ? new URL('/sign-in?sso=cancelled', publicUrl) : failed
}

function withEntry(options: ReturnType<typeof authOptions>, enter: Enter): ReturnType<typeof authOptions> {
  const signIn = async ({ user, profile }: { user: { id: string }; profile?: object }) => {
    const { singleSignOn, publicUrl } = getSettings()
    const claims = singleSignOn && profile ? parseClaims({ ...profile }, singleSignOn) : null
    const entry = claims ? await enter(claims, await readDevice(), await readSid()) : { refused: 'failed' }
    if ('sid' in entry) {
      user.id = entry.sid
      await forgetJoining()
      return true
    }
    const notice = 'refused' in entry ? entry.refused : 'confirm'
    if ('confirm' in entry && claims) await keepJoining({ issuer: claims.issuer, subject: claims.subject, ...entry.confirm })
    return `${publicUrl.origin}/sign-in?sso=${notice}`
  }
  return { ...options, callbacks: { ...options.callbacks, signIn } }
}
