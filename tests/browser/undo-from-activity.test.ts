/** Changes undone from Activity, long after the page that made them was closed. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'
import { openSqliteFile } from '../support/sqlite-file'

test('a job and a rule are restored from Activity once, to their positions among others, as long as these can be determined', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { visitor, page, id, gatehouse, place } = visit
  using database = openSqliteFile(join(place.dir, 'data/portal/portal.db'))
  const open = (path: string) => page.goto(`${gatehouse.url}${path}`)
  const dialog = page.getByRole('dialog')
  const jobs = page.getByRole('table', { name: 'Cron jobs' }).locator('tbody tr')
  const rules = page.getByRole('table', { name: 'Firewall rules' }).locator('tbody tr td[data-main] > span:first-child')
  const addJob = async (command: string) => {
    await page.getByRole('button', { name: 'Add job' }).click()
    await dialog.getByLabel('Command').fill(command)
    await dialog.getByRole('button', { name: 'Add job' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  const addRule = async (port: string) => {
    await page.getByRole('button', { name: 'Add rule' }).click()
    await dialog.getByLabel('Port', { exact: true }).fill(port)
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  const removeRule = (says: string) => page.getByRole('button', { name: `Delete: ${says}` }).click()
  const showsJobs = (...commands: string[]) =>
    expect.poll(() => jobs.locator('code:visible', { hasText: /^\/opt/ }).allTextContents()).toEqual(commands)
  const showsRules = (...texts: string[]) => expect.poll(() => rules.allTextContents()).toEqual(texts)
  const removeJob = async (command: string) => {
    await jobs
      .filter({ hasText: command })
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  /** The newest entry of its kind; other rows may name undone changes too. */
  const row = (says: string) =>
    page
      .getByRole('row')
      .filter({ has: page.locator('span.font-semibold', { hasText: new RegExp(`^${says}`) }) })
      .first()
  const undo = (says: string) => row(says).getByRole('button', { name: /^Undo: / })

  await open(`/servers/${id}/cron`)
  for (const command of ['/opt/first', '/opt/second', '/opt/third']) await addJob(command)
  await removeJob('/opt/second')
  await showsJobs('/opt/first', '/opt/third')
  await open(`/servers/${id}/firewall`)
  for (const port of ['22', '8080', '443']) await addRule(port)
  const all = ['Allow SSH from anywhere', 'Allow TCP port 8080 from anywhere', 'Allow HTTPS from anywhere']
  const [ssh = '', middle = '', https = ''] = all
  await removeRule(middle)
  await showsRules(ssh, https)

  await open('/activity')
  await undo('Deleted the cron job').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  // Users with view-only access are offered no Undo.
  database.run(`UPDATE "Membership" SET "role" = 'viewer'`)
  await page.reload()
  await row('Deleted the cron job').waitFor()
  expect(await page.getByRole('button', { name: /^Undo: / }).count()).toBe(0)
  database.run(`UPDATE "Membership" SET "role" = 'owner'`)
  await page.reload()

  // By keyboard; the toast links to the page with the effect, and the row says who undid it.
  await undo('Deleted the cron job').focus()
  await page.keyboard.press('Enter')
  await page.getByText('The job was restored.').waitFor()
  await row('Deleted the cron job')
    .getByText(/^Undone by /)
    .last()
    .waitFor()
  await row('Saved the cron job')
    .getByText(/^Undo of “Deleted the cron job .*” of /)
    .waitFor()
  await page.getByRole('button', { name: 'Cron jobs', exact: true }).click()
  await page.waitForURL(`**/servers/${id}/cron`)
  await showsJobs('/opt/first', '/opt/second', '/opt/third')

  // Two clicks undo once.
  await open('/activity')
  await undo('Deleted the rule').dblclick()
  await page.getByText('The rule was restored.').waitFor()
  await row('Deleted the rule')
    .getByText(/^Undone by /)
    .last()
    .waitFor()
  await open(`/servers/${id}/firewall`)
  await showsRules(...all)
  const sent = `SELECT 1 FROM "AuditRow" WHERE "action" = 'firewall.saveRule' AND "detail" LIKE '%"undoes"%'`
  expect(database.run(sent)).toHaveLength(1)

  // If something was changed meanwhile, the page says so and does nothing; the toast and Activity share one Undo.
  await removeRule(middle)
  await showsRules(ssh, https)
  await addRule('8080')
  await showsRules(...all)
  await page.getByText(`Added: ${middle}.`).last().waitFor()
  await open('/activity')
  await undo('Deleted the rule').click()
  await page.getByText('The rule exists again, so there is nothing to undo.').waitFor()
  await expect.poll(() => undo('Deleted the rule').isEnabled()).toBe(true)
  await open(`/servers/${id}/cron`)
  await removeJob('/opt/third')
  await page.getByText('The job was deleted.').locator('..').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The job was restored.').waitFor()
  await showsJobs('/opt/first', '/opt/second', '/opt/third')
  await open('/activity')
  await row('Deleted the cron job')
    .getByText(/^Undone by /)
    .last()
    .waitFor()
  expect(await undo('Deleted the cron job').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
