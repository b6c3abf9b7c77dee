/** Accounts made by the forms' own actions instead of by typing, and browsers signed in with their cookies. */
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
  await giveCookies(page, gatehouse, person)
  return person
}

/** Signs the browser in as somebody whom `inviter` invites in this role, by name. The address is made from the name. */
export async function joinQuickly(
  page: Page,
  { port }: Place,
  gatehouse: Gatehouse,
  inviter: PortalVisitor,
  { name, role }: { name: string; role: string },
): Promise<PortalVisitor> {
  const person = createVisitor(await createCallerLike(page, port))
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@northwind.test`
  await person.join(await inviter.invite(email, role), name)
  await giveCookies(page, gatehouse, person)
  return person
}

async function giveCookies(page: Page, { url }: Gatehouse, person: PortalVisitor): Promise<void> {
  const cookies = person.cookie().split('; ').filter(Boolean)
  if (cookies.length === 0) throw new Error('Nobody was signed in.')
  await page.context().addCookies(
    cookies.map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' as const }
    }),
  )
}
