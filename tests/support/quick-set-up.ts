/** The first account made by the form's own action instead of by typing, and the browser signed in with its cookies. */
import type { Page } from 'playwright-core'
import { type Caller, createCaller } from '../browser/security/caller'
import type { Gatehouse, Place } from './gatehouse-process'
import { createVisitor, type PortalVisitor } from './portal-visitor'

/** The user agent of requests from this browser, which distinguishes its sessions. */
async function createCallerLike(page: Page, port: number): Promise<Caller> {
  const caller = createCaller(port)
  const agent = { 'user-agent': await page.evaluate<string>('navigator.userAgent') }
  return { ...caller, call: (path, sent = {}) => caller.call(path, { ...sent, headers: { ...agent, ...sent.headers } }) }
}

/**
 * Signs the browser in as the owner of a portal that nobody has set up yet. The key is for a portal with an UPSTREAM_URL.
 * What is answered is the owner without a browser, for what a test needs before it begins.
 */
export async function setUpQuickly(page: Page, place: Place, gatehouse: Gatehouse, apiKey?: string): Promise<PortalVisitor> {
  const person = createVisitor(await createCallerLike(page, place.port))
  await person.setUp(gatehouse.setupLink ?? '', apiKey)
  const cookies = person.cookie().split('; ').filter(Boolean)
  if (cookies.length === 0) throw new Error('The portal was not set up.')
  await page.context().addCookies(
    cookies.map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return { name, value: value.join('='), url: gatehouse.url, httpOnly: true, sameSite: 'Lax' as const }
    }),
  )
  return person
}
