/**
 * Failing changes on the pages of a server of a foreign service: each is sent once despite a double click, the page shows the
 * error and keeps the input, and after a lost answer the outcome is unknown until a read shows it.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import { pressUntil } from '../support/press'

let visit: ForeignVisit
let page: Page
beforeAll(async () => {
  visit = await visitForeign()
  page = visit.page
})
afterEach(() => visit.upstream.clear())
afterAll(() => visit?.[Symbol.asyncDispose]())

type Change = {
  what: string
  /** The page, and the operation that it sends. */
  on: string
  posts: string
  /** Prepares the page up to the control that sends the change. */
  prepare: () => Promise<void>
  send: () => ReturnType<Page['getByRole']>
  /** What the page shows once it was done. */
  seen: () => Promise<void>
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const inDialog = (name: string) => dialog().getByRole('button', { name })
const shown = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
const gone = (text: string | RegExp) =>
  expect.poll(() => page.getByText(text).filter({ visible: true }).count(), { timeout: 20_000 }).toBe(0)

/** Opens what `opener` opens; retries until the page's scripts run. */
const openDialog = async (opener: ReturnType<typeof button>) => {
  await opener.first().focus()
  await pressUntil(page, 'Enter', dialog())
}

const changes: readonly Change[] = [
  {
    what: 'a job is added',
    on: 'cron',
    posts: 'savecronjob',
    prepare: async () => {
      await openDialog(button('Add job'))
      await dialog().getByLabel('Command').fill('/usr/bin/added')
    },
    send: () => inDialog('Add job'),
    seen: () => shown('/usr/bin/added'),
  },
  {
    what: 'a system user is added',
    on: 'users',
    posts: 'savesystemuser',
    prepare: async () => {
      await openDialog(button('Add user'))
      await dialog().getByLabel('Name').fill('anna')
    },
    send: () => inDialog('Add user'),
    seen: () => shown('ssh anna@192.0.2.10'),
  },
  {
    what: 'a system user is deleted',
    on: 'users',
    posts: 'deletesystemuser',
    prepare: async () => {
      await button('Actions for deploy').click()
      await page.getByRole('menuitem', { name: 'Delete user' }).click()
      await dialog().getByLabel('Type deploy to confirm').fill('deploy')
    },
    send: () => inDialog('Delete user'),
    seen: () => gone('ssh deploy@192.0.2.10'),
  },
  {
    what: 'a port is opened',
    on: 'firewall',
    posts: 'savefirewallrule',
    prepare: async () => {
      await openDialog(button('Add rule'))
      await dialog().getByLabel('Port').fill('8080')
    },
    send: () => inDialog('Add rule'),
    seen: () => shown('Allow TCP port 8080 from anywhere'),
  },
  {
    what: 'a message is deleted',
    on: 'mail',
    posts: 'deletemessages',
    prepare: async () => {
      await page.getByRole('checkbox', { name: /^Select the message 4Xk2/ }).check()
      await button('Delete 1 message').click()
      await dialog().getByLabel('Type 1 to confirm').fill('1')
    },
    send: () => inDialog('Delete 1 message'),
    seen: () => shown('The mail queue is empty'),
  },
  {
    what: 'a backup is deleted',
    on: 'backups',
    posts: 'deletebackup',
    prepare: async () => {
      await page.getByRole('checkbox', { name: /^Select 20 Nov 2026$/ }).check()
      await button('Delete 1 backup').click()
      await dialog().getByLabel('Type 1 to confirm').fill('1')
    },
    send: () => inDialog('Delete 1 backup'),
    seen: () => gone('20 Nov 2026'),
  },
]

const callsOf = ({ posts }: Pick<Change, 'posts'>) => visit.upstream.callsTo('POST', `${visit.path}/${posts}`).length

test.each(changes)(
  '$what: a refusal says why and keeps the input; after a lost answer the outcome is unknown, and a read settles it',
  async (change) => {
    const path = `${visit.path}/${change.posts}`
    await page.goto(`${visit.url}/${change.on}`)
    await change.prepare()
    const before = callsOf(change)
    visit.upstream.set('html', { path })
    await change.send().dblclick()
    await dialog()
      .getByText(/answered with a web page|not known/)
      .first()
      .waitFor()
    expect(callsOf(change)).toBe(before + 1)
    visit.upstream.clear()

    visit.upstream.set('reset-after', { path })
    await change.send().dblclick()
    await dialog().getByText('The connection broke before the response arrived').first().waitFor()
    expect(callsOf(change)).toBe(before + 2)
    visit.upstream.clear()
    await page.keyboard.press('Escape')
    await change.seen()
    // Nothing is sent again automatically, whatever is read meanwhile.
    expect(callsOf(change)).toBe(before + 2)
    expect(visit.visitor.complaints).toEqual([])
  },
)

/** Changes without a form: a toast, or text next to the control, reports the outcome. */
const instant: readonly (Omit<Change, 'prepare' | 'send'> & { act: () => Promise<void> })[] = [
  {
    what: 'a job is deleted',
    on: 'cron',
    posts: 'deletecronjob',
    act: async () => {
      await button(/^Actions for .*true/).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    },
    seen: () => gone('/usr/bin/true'),
  },
  {
    what: 'the firewall is turned off',
    on: 'firewall',
    posts: 'savesystemuser',
    act: async () => {
      await page.getByRole('switch', { name: 'Firewall' }).click()
      await dialog().getByRole('button', { name: 'Turn off' }).dblclick()
    },
    seen: () => shown('is off'),
  },
  {
    what: 'the hostname is changed',
    on: 'settings',
    posts: 'hostname',
    act: async () => {
      await page.getByRole('textbox', { name: 'Hostname' }).fill('web-9.example.org')
      await button('Save hostname').dblclick()
    },
    seen: async () => {
      await page.goto(`${visit.url}/mail`)
      await shown('web-9.example.org')
    },
  },
]

test.each(instant)('$what: after a lost answer the outcome is unknown, a read settles it, and nothing is sent twice', async (change) => {
  const path = `${visit.path}/${change.posts}`
  await page.goto(`${visit.url}/${change.on}`, { waitUntil: 'networkidle' })
  const before = callsOf(change)
  visit.upstream.set('reset-after', { path })
  await change.act()
  await page.getByText('not known').first().waitFor()
  visit.upstream.clear()
  await change.seen()
  expect(callsOf(change)).toBe(before + 1)
  expect(visit.visitor.complaints).toEqual([])
})
