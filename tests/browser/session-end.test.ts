/** A session that ends while a form is open: the portal asks for the password over the form and sends the same form once more. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { owner } from '../support/first-steps'
import { faultsInAllLooks } from '../support/page-faults'
import { query } from '../support/place-database'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

const endSessions = ({ place }: SandboxVisit) =>
  query(place, 'portal', `UPDATE Session SET revokedAt = '${new Date().toISOString()}' WHERE revokedAt IS NULL`)

const intentsOf = async ({ place }: SandboxVisit, action: string) =>
  (await query(place, 'portal', `SELECT seq FROM AuditRow WHERE action = '${action}' AND stage = 'intent'`)).length

const signInsOf = async ({ place }: SandboxVisit) =>
  (await query(place, 'portal', "SELECT outcome FROM AuditRow WHERE action = 'session.signIn' ORDER BY seq")).map(({ outcome }) => outcome)

const askedOn = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

async function signInOver(page: Page, password = owner.password): Promise<void> {
  const asked = askedOn(page)
  await asked.getByLabel('Password', { exact: true }).fill(password)
  await asked.getByRole('button', { name: 'Sign in and send' }).click()
}

test('a cron job is sent again after the password was entered; a wrong password and Escape lose nothing', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id, visitor } = visit
  await page.goto(`${gatehouse.url}/servers/${id}/cron`)
  await page.getByRole('button', { name: 'Add job' }).click()
  const form = page
    .getByRole('dialog', { name: 'Add cron job' })
    .or(page.getByRole('dialog').filter({ hasText: 'Command' }))
    .first()
  const command = page.getByLabel('Command')
  await command.fill('/opt/nightly --all')
  const coveredPart = await page.getByText('One line, run by the user').boundingBox()
  if (!coveredPart) throw new Error('The form has no hint.')
  const bright = await page.screenshot({ clip: coveredPart })
  await endSessions(visit)
  await command.press('Enter')
  const asked = askedOn(page)
  await asked.waitFor()
  expect(await asked.getByLabel('Email').inputValue()).toBe(owner.email)
  // A user who types immediately types into the password field; the form behind it is as dim as the page around it.
  await page.keyboard.type('s3')
  expect(await asked.getByLabel('Password', { exact: true }).inputValue()).toBe('s3')
  await expect.poll(async () => (await page.screenshot({ clip: coveredPart })).equals(bright)).toBe(false)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'hidden' })
  expect(await command.inputValue()).toBe('/opt/nightly --all')

  await command.press('Enter')
  await signInOver(page, 'not the password')
  await asked.getByText('Wrong email address or password').waitFor()
  await signInOver(page)
  await asked.waitFor({ state: 'hidden' })
  await form.waitFor({ state: 'hidden' })
  // What a toast offers is still done.
  await page.getByText('The job was saved.').hover()
  await endSessions(visit)
  await page.getByRole('button', { name: 'Undo' }).click()
  await signInOver(page)
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()
  await page.getByText('Your session has ended.').waitFor({ state: 'hidden' })
  expect(await intentsOf(visit, 'cron.save')).toBe(1)
  await expect.poll(() => intentsOf(visit, 'cron.delete')).toBe(1)
  await page.getByText('The job was deleted again.').waitFor()
  expect(await signInsOf(visit)).toEqual(['failed', 'done', 'done'])
  expect(visitor.complaints).toEqual([])
})

test('typed passwords and names stay in their fields, and a server is deleted once', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id, visitor } = visit
  await page.goto(`${gatehouse.url}/servers/${id}/users`)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Name').fill('deploy')
  await dialog.getByLabel('Password', { exact: true }).fill('a quiet secret of deploy')
  await endSessions(visit)
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await askedOn(page).waitFor()
  await page.keyboard.press('Escape')
  await askedOn(page).waitFor({ state: 'hidden' })
  expect(await dialog.getByLabel('Password', { exact: true }).inputValue()).toBe('a quiet secret of deploy')
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])')
  expect(stored).not.toContain('quiet secret')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await signInOver(page)
  await page.getByText('deploy was added').waitFor()
  await expect.poll(() => intentsOf(visit, 'users.save')).toBe(1)
  await page.getByRole('button', { name: 'Done' }).click()

  // One value edited in place.
  await endSessions(visit)
  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByLabel('New name').fill('harbour-02')
  await page.keyboard.press('Enter')
  await askedOn(page).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByLabel('New name').inputValue()).toBe('harbour-02')
  await page.getByLabel('New name').press('Enter')
  await signInOver(page)
  await page.getByRole('heading', { name: 'harbour-02' }).waitFor()
  await expect.poll(() => intentsOf(visit, 'servers.update')).toBe(1)

  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await endSessions(visit)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await signInOver(page)
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await expect.poll(() => intentsOf(visit, 'servers.install')).toBe(1)

  await page.goto(`${gatehouse.url}/servers/${id}/settings`)
  await page.getByRole('button', { name: 'Delete server' }).click()
  await page.getByLabel('Type harbour-02 to confirm').fill('harbour-02')
  await endSessions(visit)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete server' }).click()
  await signInOver(page)
  await page.waitForURL('**/servers')
  await expect.poll(() => intentsOf(visit, 'servers.delete')).toBe(1)
  expect(visitor.complaints).toEqual([])
})

test('another user goes to the sign-in page, which leads back', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id } = visit
  await page.goto(`${gatehouse.url}/servers/${id}/install?x=1#L4`)
  await endSessions(visit)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await askedOn(page).getByRole('link', { name: 'Sign in as someone else' }).click()
  await page.waitForURL('**/sign-in**')
  const { searchParams, hash } = new URL(page.url())
  expect([searchParams.get('back'), hash]).toEqual([`/servers/${id}/install?x=1`, '#L4'])
  expect(await intentsOf(visit, 'servers.install')).toBe(0)
})

test('an abandoned form is never sent: not from another page, and not after another user signed in on the sign-in page', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id } = visit
  async function leaveFormWaiting(): Promise<void> {
    await page.goto(`${gatehouse.url}/servers/${id}`)
    await page.getByRole('link', { name: 'Cron', exact: true }).click()
    await page.getByRole('button', { name: 'Add job' }).click()
    await page.getByLabel('Command').fill('/opt/nightly --all')
    await endSessions(visit)
    await page.getByLabel('Command').press('Enter')
    await askedOn(page).waitFor()
  }
  await leaveFormWaiting()
  await page.goBack()
  await askedOn(page).waitFor({ state: 'detached' })
  await page.goto(`${gatehouse.url}/sign-in`)
  await signInOnPage(page)

  await leaveFormWaiting()
  // As a page does that is rendered again meanwhile: nothing is loaded again, so the waiting action is still in memory.
  await page.evaluate("window.next.router.push('/activity')")
  await page.waitForURL('**/sign-in**')
  await signInOnPage(page)
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await askedOn(page).count()).toBe(0)
  expect(await intentsOf(visit, 'cron.save')).toBe(0)
})

async function signInOnPage(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}
