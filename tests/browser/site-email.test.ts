/** Email of a site: switched and followed live, addresses added, changed, removed and restored, and the records of DNS to copy. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { proveReadable } from '../support/table-faults'
import type { UpstreamSite } from '../support/upstream/model'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 60_000 }
const takes = { timeout: 240_000 }

const rows = (page: Page) => page.getByRole('table', { name: 'Addresses' }).locator('tbody tr')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const undoOf = (page: Page, said: string) => page.getByText(said, { exact: true }).locator('..').getByRole('button', { name: 'Undo' })

/** Opens the menu of an address by keyboard and chooses an item. */
async function choose(page: Page, address: string, item: string): Promise<void> {
  await button(page, `Actions for ${address}`).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).click()
}

const openScene = (given: Partial<UpstreamSite>, options: UpstreamOptions) => visitForeignSite('Email', given, options)

const elsewhere = 'mx.other.example'
const key = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(12)}`
const records = [
  {
    type: 'MX',
    name: 'first.example',
    expected: '10 web-1.example.net',
    found: elsewhere,
    state: 'different',
    reason: 'Mail goes elsewhere.',
  },
  { type: 'SPF', name: 'first.example', expected: 'v=spf1 mx -all', found: 'v=spf1 mx -all', state: 'ready', reason: '' },
  { type: 'DKIM', name: 'gatehouse._domainkey.first.example', expected: key, found: '', state: 'missing', reason: '' },
  { type: 'DMARC', name: '_dmarc.first.example', expected: 'v=DMARC1; p=none', found: '', state: 'missing', reason: '' },
  { type: 'PTR', name: '192.0.2.10', expected: '', found: '', state: 'missing', reason: 'Set it at the provider of the server.' },
]

test(
  'a service with extensions: another mail server in DNS is asked about, email is switched and followed live, and undone',
  takes,
  async () => {
    await using scene = await openScene({ emails: [], ssl: true, mail: { elsewhere, records } }, { extensions: true })
    const { page, upstream, site, sitePath, origin, visitor } = scene
    await page.getByText('No addresses yet').waitFor()
    await page.getByText(`DNS sends mail for first.example to ${elsewhere}, not to this server.`).waitFor()
    await button(page, 'Copy the DKIM record').waitFor()
    await page.getByText('Set it at the provider of the server.').waitFor()
    expect(await page.getByText('Ready', { exact: true }).count()).toBe(1)
    expect(await page.getByText('Not set', { exact: true }).count()).toBe(3)
    expect(await faultsInAllLooks(page)).toEqual([])

    await button(page, 'Turn on email').click()
    await dialog(page)
      .getByText(/no longer reaches mailboxes there/)
      .waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(upstream.callsTo('POST', `${sitePath}/setemail`)).toEqual([])
    upstream.model.siteLines = { steps: ['check', 'mail-server', 'firewall'], msPerLine: 5000 }
    await button(page, 'Turn on email').click()
    await dialog(page).getByRole('button', { name: 'Turn on anyway' }).click()
    await page.getByText('Mail server', { exact: true }).first().waitFor(patience)
    expect(await button(page, 'Turn on email').isDisabled()).toBe(true)
    await page.reload()
    await page.getByRole('progressbar').waitFor()
    await button(page, 'Turn off email').waitFor(patience)
    expect(upstream.callsTo('POST', `${sitePath}/setemail`).map(({ fields }) => fields)).toEqual([{ status: '1', anyway: '1' }])
    await page.getByText('465 (SSL/TLS) or 587 (STARTTLS)').waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])

    upstream.model.siteLines = { steps: ['mail-server'], msPerLine: 300 }
    await button(page, 'Turn off email').click()
    await dialog(page).getByRole('button', { name: 'Turn off' }).click()
    await undoOf(page, 'Email is off.').click(patience)
    await page.getByText('Email is on again.').waitFor(patience)
    expect(site.email).toBe(true)

    site.email = false
    site.mail = { records: [] }
    await page.reload()
    await button(page, 'Turn on email').waitFor()
    site.mail = { elsewhere }
    await button(page, 'Turn on email').click()
    await page.getByText(`DNS sends mail for first.example to ${elsewhere}.`).first().waitFor(patience)
    await page.goto(`${origin}/activity`)
    await page.getByText('Turned email on, although DNS names another mail server').first().waitFor()
    expect(visitor.complaints).toEqual([])
  },
)

test('addresses are added with and without a password, changed, removed and restored, and a password is shown once', takes, async () => {
  await using scene = await openScene({ email: true, ssl: true, emails: [] }, { extensions: true })
  const { page, upstream, site, sitePath, origin, visitor } = scene
  await button(page, 'Add address').click()
  await dialog(page).getByLabel('Name').fill('info')
  await dialog(page).getByLabel('Forward to').fill('nowhere')
  expect(await dialog(page).getByLabel('Password', { exact: true }).count()).toBe(0)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('Enter an address to forward to.').waitFor(patience)
  expect(await dialog(page).getByLabel('Name').inputValue()).toBe('info')
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog(page).getByLabel('Forward to').fill('anna@example.net')
  await page.keyboard.press('Enter')
  await undoOf(page, 'info@first.example was added.').waitFor(patience)
  await row(page, 'info@first.example').waitFor()

  await button(page, 'Add address').click()
  await dialog(page).getByLabel('Name').fill('Info')
  await dialog(page).getByText('This address exists already. Change it in the list.').waitFor()
  await dialog(page).getByLabel('Name').fill('sales')
  await dialog(page).getByLabel('Forward to').fill('anna@example.net')
  await dialog(page).getByRole('checkbox').check()
  const password = await dialog(page).getByLabel('Password', { exact: true }).inputValue()
  await dialog(page).getByRole('button', { name: 'Add address' }).click()
  await dialog(page).getByText(password).waitFor(patience)
  await dialog(page).getByText('sales@first.example', { exact: true }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await button(page, 'Done').click()
  await row(page, 'sales@first.example').waitFor()
  expect(await page.locator('main').innerText()).not.toContain(password)

  await choose(page, 'info@first.example', 'Change destination')
  await dialog(page).getByLabel('Forward to').fill('bert@example.net')
  await dialog(page).getByRole('button', { name: 'Change destination' }).click()
  await undoOf(page, 'info@first.example forwards to bert@example.net.').click(patience)
  await page.getByText('info forwards to anna@example.net again.').waitFor(patience)

  await choose(page, 'info@first.example', 'Set password')
  await dialog(page).getByRole('button', { name: 'Set password' }).click()
  await dialog(page).getByText('The password of info@first.example was set').waitFor(patience)
  await button(page, 'Done').click()
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Actions for info@first.example')

  await button(page, 'Remove info@first.example').click()
  await undoOf(page, 'info@first.example was removed. Undo does not restore a password.').click(patience)
  await page.getByText('info was added again. To send, it needs a new password.').waitFor(patience)
  expect(upstream.callsTo('POST', `${sitePath}/saveemail`).at(-1)?.fields).toEqual({
    user: 'info',
    destination: 'anna@example.net',
    password: '',
  })
  expect(site.emails.map(({ user }) => user).sort()).toEqual(['info', 'sales'])

  // Somebody else changes it while the form is open: nothing is overwritten, and what was typed stays.
  await choose(page, 'sales@first.example', 'Change destination')
  site.emails = site.emails.map((each) => (each.user === 'sales' ? { ...each, destination: 'third@example.net' } : each))
  await dialog(page).getByLabel('Forward to').fill('mine@example.net')
  await dialog(page).getByRole('button', { name: 'Change destination' }).click()
  await dialog(page)
    .getByText(/sales was changed in the meantime: it forwards to third@example.net now/)
    .waitFor(patience)
  expect(await dialog(page).getByLabel('Forward to').inputValue()).toBe('mine@example.net')
  await page.keyboard.press('Escape')

  site.emails = Array.from({ length: 300 }, (_, at) => ({
    user: `a-rather-long-name-of-an-address-${at}`,
    destination: `${'very-long-name-of-a-mailbox.'.repeat(2)}${at}@${'long.'.repeat(12)}example.net`,
  }))
  site.ssl = false
  site.email = false
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByText('Email is off, so these addresses get no mail.').count()
    }, patience)
    .toBe(1)
  await page.getByLabel('Filter addresses').fill('address-29')
  await expect.poll(() => rows(page).count()).toBe(11)
  expect(await faultsInAllLooks(page)).toEqual([])
  await proveReadable(page)
  await page.goto(`${origin}/activity`)
  await page.getByText('Saved the email address info, forwarding to anna@example.net').first().waitFor()
  await page.getByText('Deleted the email address info').first().waitFor()
  expect(await page.locator('main').innerText()).not.toContain(password)
  expect(visitor.complaints).toEqual([])
})

test('a service without extensions: the switch and the addresses alone, and every change is sent once', takes, async () => {
  await using scene = await openScene({ mail: { elsewhere, records } }, {})
  const { page, upstream, site, sitePath, visitor } = scene
  await row(page, 'info@first.example').getByText('someone@example.com').first().waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/DNS|DKIM|587|postmaster/)
  expect(await faultsInAllLooks(page)).toEqual([])
  upstream.set('reset-after', { path: `${sitePath}/setemail`, times: 1 })
  await button(page, 'Turn on email').dblclick()
  await undoOf(page, 'Email is on.').waitFor(patience)
  await button(page, 'Turn off email').waitFor()
  expect(upstream.callsTo('POST', `${sitePath}/setemail`).map(({ fields }) => fields)).toEqual([{ status: '1' }])
  expect(await page.getByText('587').count()).toBe(0)

  // A lost answer: the dialog says so and keeps everything, also the password that may be in use now.
  upstream.set('reset-after', { path: `${sitePath}/saveemail`, times: 1 })
  await button(page, 'Add address').click()
  await dialog(page).getByLabel('Name').fill('sales')
  await dialog(page).getByLabel('Forward to').fill('anna@example.net')
  const typed = await dialog(page).getByLabel('Password', { exact: true }).inputValue()
  await dialog(page).getByRole('button', { name: 'Add address' }).dblclick()
  await dialog(page).getByText('The connection broke before the response arrived').first().waitFor(patience)
  expect([
    await dialog(page).getByLabel('Password', { exact: true }).inputValue(),
    upstream.callsTo('POST', `${sitePath}/saveemail`).length,
  ]).toEqual([typed, 1])
  await page.keyboard.press('Escape')
  await row(page, 'sales@first.example').waitFor(patience)

  await choose(page, 'sales@first.example', 'Change destination')
  await dialog(page).getByLabel('Forward to').fill('bert@example.net')
  await dialog(page)
    .getByText(/decides whether it keeps the current one/)
    .waitFor()
  expect(await faultsOf(page)).toEqual([])
  upstream.set('success-false', { path: `${sitePath}/saveemail`, times: 1 })
  await dialog(page).getByRole('button', { name: 'Change destination' }).click()
  await dialog(page).getByText('The server is locked.').waitFor(patience)
  expect(await dialog(page).getByLabel('Forward to').inputValue()).toBe('bert@example.net')
  await dialog(page).getByRole('button', { name: 'Change destination' }).click()
  await page.getByText(`sales@first.example forwards to bert@example.net.`).waitFor(patience)
  expect(await undoOf(page, 'sales@first.example forwards to bert@example.net.').count()).toBe(0)

  for (const name of ['info', 'sales']) await page.getByRole('checkbox', { name: `Select ${name}@first.example` }).check()
  await button(page, 'Delete 2 addresses').click()
  await dialog(page).getByText('Undo does not restore a password.').waitFor()
  await dialog(page).getByLabel(/^Type/).fill('2')
  await dialog(page).getByRole('button', { name: 'Delete 2 addresses' }).click()
  await undoOf(page, '2 addresses were deleted.').click(patience)
  await page.getByText('2 addresses were restored.').waitFor(patience)
  expect(site.emails.map(({ user }) => user).sort()).toEqual(['info', 'sales'])
  const restored = upstream.callsTo('POST', `${sitePath}/saveemail`).slice(-2)
  for (const { fields } of restored) expect(fields.password).toMatch(/^[\w-]{32}$/)
  expect(visitor.complaints).toEqual([])
})
