/** Single sign-on in a browser, against an identity provider on localhost. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider'
import { faultsInAllLooks } from '../support/page-faults'
import { query } from '../support/place-database'

let place: Place
let gatehouse: Gatehouse
let provider: IdentityProvider
let visitor: Visitor
let page: Page

beforeAll(async () => {
  place = await makeStartedPlace()
  provider = await startIdentityProvider({ redirectUri: `http://localhost:${place.port}/api/auth/callback/oidc` })
  const secretFile = join(place.dir, 'client-secret')
  writeFileSync(secretFile, provider.clientSecret, { mode: 0o400 })
  const { issuer, clientId } = provider
  Object.assign(place.env, {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET_FILE: secretFile,
    OIDC_NAME: 'Example ID',
  })
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  await provider?.stop()
  place?.[Symbol.dispose]()
})

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada Lovelace' }
const button = (on: Page) => on.getByRole('button', { name: 'Sign in with Example ID' })

async function invite(email: string): Promise<void> {
  const [member] = await query(place, 'portal', "SELECT userId, teamId FROM Membership WHERE role = 'owner'")
  const [now, later] = [new Date(), new Date(Date.now() + 3_600_000)].map((date) => date.toISOString())
  await query(
    place,
    'portal',
    `INSERT INTO Invitation (id, teamId, email, role, tokenHash, invitedById, createdAt, expiresAt)
     VALUES ('${email}', '${member?.teamId}', '${email}', 'operator', '${email}', '${member?.userId}', '${now}', '${later}')`,
  )
}

const statusOf = async (on: Page) => (await on.request.get(`${gatehouse.url}/api/servers`)).status()

test('security 19: at 390 px and by keyboard, an invited person joins with the provider; the next sign-in, without scripts, needs no invitation', async () => {
  await invite(ada.email)
  provider.person = ada
  const other = await visitor.another({ viewport: { width: 390, height: 844 } })
  await other.goto(`${gatehouse.url}/sign-in?back=%2Factivity`)
  expect(await faultsInAllLooks(other)).toEqual([])
  await button(other).press('Enter')
  await other.waitForURL('**/activity')
  await other.goto(`${gatehouse.url}/account`)
  await other.getByText('Connected with Example ID').waitFor()
  await other.getByText('ada@example.org').first().waitFor()
  await other.context().close()
  const plain = await visitor.another({ javaScriptEnabled: false })
  await plain.goto(`${gatehouse.url}/activity`)
  await button(plain).click()
  await plain.waitForURL('**/activity')
  expect(await statusOf(plain)).toBe(200)
  await plain.context().close()
})

test('security 17: the owner’s account is connected after a fresh sign-in to it, and not before', async () => {
  provider.person = { sub: 'owner-1', email: owner.email, email_verified: true, name: 'Mira' }
  const other = await visitor.another()
  await other.goto(`${gatehouse.url}/sign-in`)
  await button(other).click()
  await other.getByText('Confirm your account.').waitFor()
  expect(await statusOf(other)).toBe(401)
  expect(await faultsInAllLooks(other)).toEqual([])
  await other.getByLabel('Email').fill(owner.email)
  await other.getByLabel('Password', { exact: true }).fill(owner.password)
  await other.getByLabel('Password', { exact: true }).press('Enter')
  await other.waitForURL(`${gatehouse.url}/`)
  await other.goto(`${gatehouse.url}/account`)
  await other.getByText('Connected with Example ID').waitFor()
  expect(await faultsInAllLooks(other)).toEqual([])
  await other.context().close()
})

test('security 19: an unverified address, the same address at another issuer, a cancelled sign-in and a forged answer are refused in plain words', async () => {
  const other = await visitor.another()
  const refusal = async (words: string) => {
    await other.goto(`${gatehouse.url}/sign-in`)
    await button(other).click()
    await other.getByText(words).waitFor()
    await other.context().clearCookies()
  }
  provider.person = { sub: 'x-1', email: 'x@example.org', email_verified: false }
  await refusal('Your address is not verified.')
  provider.person = { ...provider.person, email_verified: true }
  await refusal('You have no access.')
  provider.person = { ...ada, sub: 'ada-2' }
  await refusal('This address is connected with another account.')
  await query(place, 'portal', "UPDATE ExternalIdentity SET issuer = 'https://other.example' WHERE subject = 'ada-1'")
  provider.person = ada
  await refusal('This address is connected with another account.')
  await query(place, 'portal', `UPDATE ExternalIdentity SET issuer = '${provider.issuer}' WHERE subject = 'ada-1'`)
  provider.person = null
  await refusal('You cancelled the sign-in.')
  await other.goto(`${gatehouse.url}/api/auth/callback/oidc?code=x&state=y`)
  await other.getByText('Single sign-on failed.').waitFor()
  expect(await statusOf(other)).toBe(401)
  await other.context().close()
})

test('security 16: once required, a member’s password no longer signs in, and the owner’s leads to their second factor', async () => {
  const ownerPage = await visitor.another()
  const enter = async (on: Page, email: string) => {
    await on.goto(`${gatehouse.url}/sign-in`)
    await on.getByLabel('Email').fill(email)
    await on.getByLabel('Password', { exact: true }).fill(owner.password)
    await on.getByLabel('Password', { exact: true }).press('Enter')
  }
  await enter(ownerPage, owner.email)
  await ownerPage.waitForURL(`${gatehouse.url}/`)
  await query(
    place,
    'portal',
    `INSERT INTO Passkey (id, userId, label, publicKey, counter, transports, backedUp) SELECT 'p', id, 'x', x'00', 0, '', 0 FROM User WHERE email = '${owner.email}'`,
  )
  await ownerPage.goto(`${gatehouse.url}/team`)
  expect(await faultsInAllLooks(ownerPage)).toEqual([])
  const rule = ownerPage.getByRole('listitem').filter({ hasText: 'Require single sign-on' })
  await rule.getByRole('button', { name: 'Turn on' }).press('Enter')
  await rule.getByText('On', { exact: true }).waitFor()
  await query(
    place,
    'portal',
    `UPDATE User SET passwordHash = (SELECT passwordHash FROM User WHERE email = '${owner.email}') WHERE email = '${ada.email}'`,
  )
  const other = await visitor.another()
  await enter(other, ada.email)
  await other.getByText('Your team requires single sign-on.').first().waitFor()
  provider.person = ada
  await button(other).click()
  await other.waitForURL(`${gatehouse.url}/`)
  expect(await statusOf(ownerPage)).toBe(200)
  await ownerPage.context().clearCookies()
  await enter(ownerPage, owner.email)
  await ownerPage.getByRole('heading', { name: 'Enter your code' }).waitFor()
})

test('security 21: a member who needs a second factor sets it up only after the provider has asked for the password', async () => {
  await query(place, 'portal', 'UPDATE Team SET requiresSecondFactor = 1')
  provider.person = ada
  const other = await visitor.another({ viewport: { width: 390, height: 844 } })
  await other.goto(`${gatehouse.url}/sign-in?back=%2Factivity`)
  await button(other).click()
  await other.getByText('Confirm that it is you.').waitFor()
  expect(await statusOf(other)).toBe(401)
  expect(await faultsInAllLooks(other)).toEqual([])
  await button(other).click()
  await other.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  expect(await statusOf(other)).toBe(401)
  await other.getByRole('button', { name: 'Set up authenticator app' }).click()
  await other.getByRole('textbox', { name: /Code/ }).waitFor()
  expect(await faultsInAllLooks(other)).toEqual([])
  await other.context().close()
})
