import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { describeCookie } from '@/lib/portal/identity/cookie'
import { askPasskeyOfBrowser, signInBrowserWithPasskey } from '@/lib/portal/identity/passkeys/browser'
import { finishSetUpBrowser, startSetUpBrowser } from '@/lib/portal/identity/second-factor/set-up-browser'
import { finishSignInBrowser, signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addActorWithPasskey } from '../passkeys/people'
import { addPerson, password } from '../people'
import { addActorWithApp, scan } from '../second-factor/authenticator'
import { configureProvider, Jar, signInAtProvider, whoIs } from './round-trip'

const browser = vi.hoisted((): { jar: Jar | null } => ({ jar: null }))
vi.mock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => browser.jar }))

let jar = new Jar()
beforeEach(() => {
  jar = new Jar()
  browser.jar = jar
})

const email = 'ada@example.org'
const atProvider = { sub: 'ada-1', email, email_verified: true }
const forget = (name: string) => jar.set({ name: describeCookie(name).name, value: '' })
const joined = () => db().externalIdentity.count()
const open = () => db().session.count({ where: { via: 'singleSignOn', revokedAt: null } })

/** A team that requires single sign-on, and a member who proved their address earlier. */
async function requireSingleSignOn(): Promise<void> {
  await db().team.updateMany({ data: { requiresSingleSignOn: true } })
  await db().membership.updateMany({ data: { role: 'operator' } })
  await db().user.updateMany({ data: { emailProvenAt: new Date() } })
}

test('security 17: a sign-in that sets up the required second factor joins the account too', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await configureProvider()
  await addPerson()
  await requireSingleSignOn()
  await db().team.updateMany({ data: { requiresSecondFactor: true } })
  provider.person = atProvider
  await signInAtProvider()
  expect(await signInBrowser({ email, password })).toEqual({ ok: true, data: { awaits: 'secondFactorSetup' } })
  const started = await startSetUpBrowser()
  const code = started.ok ? scan(started.data.secret).codeAt(0) : ''
  expect(await finishSetUpBrowser(code)).toMatchObject({ ok: true, data: { codes: expect.any(Array) } })
  expect([await joined(), (await whoIs(jar))?.user.email]).toEqual([1, email])
})

test('security 17: no session stays that counts as single sign-on without a joined account', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await configureProvider()
  const { app } = await addActorWithApp()
  await requireSingleSignOn()
  provider.person = atProvider
  const enterPassword = async () => {
    await signInAtProvider()
    expect(await signInBrowser({ email, password })).toEqual({ ok: true, data: { awaits: 'secondFactor' } })
  }
  const refused = { code: 'invalid', sentence: expect.stringContaining('could not be connected') }
  await enterPassword()
  forget('joining')
  expect(await finishSignInBrowser(app.codeAt(0))).toMatchObject(refused)
  expect([await joined(), await whoIs(jar), await open()]).toEqual([0, null, 0])
  await enterPassword()
  const eve = await addPerson({ email: 'eve@example.org' })
  await db().externalIdentity.create({ data: { issuer: provider.issuer, subject: 'ada-1', userId: eve.userId } })
  expect(await finishSignInBrowser(app.codeAt(1))).toMatchObject(refused)
  expect([await whoIs(jar), await open()]).toEqual([null, 0])
})

test('security 17: where single sign-on is required, a member joins with a passkey alone', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await configureProvider()
  const { passkey } = await addActorWithPasskey()
  await requireSingleSignOn()
  await db().user.updateMany({ data: { passwordHash: null } })
  const usePasskey = async () => {
    const asked = await askPasskeyOfBrowser()
    return signInBrowserWithPasskey(asked.ok ? passkey.use(asked.data.options) : '')
  }
  expect(await usePasskey()).toMatchObject({ sentence: expect.stringContaining('requires single sign-on') })
  provider.person = atProvider
  await signInAtProvider()
  expect(await usePasskey()).toBeNull()
  expect([await joined(), (await whoIs(jar))?.user.email]).toEqual([1, email])
})
