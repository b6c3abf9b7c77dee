/** Pages of a real, installed server, used as a person would, with what came of it looked at from outside. */
import { createConnection } from 'node:net'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '@/lib/service/ssh/connect'
import type { Host } from '../hosts/lab/lab'

/** Whether somebody listens there and is let answer. */
function isOpen(host: Host, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: host.ip, port, timeout: 1_000 })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

/** Somebody is added and logs in; a port is opened, reached, and shut again. */
export async function proveUsersAndFirewall(page: Page, host: Host): Promise<void> {
  const tabs = page.getByRole('navigation', { name: /^Pages of/ })
  const dialog = page.getByRole('dialog')
  await tabs.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByLabel('Name').fill('anna')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByText('anna was added').waitFor()
  const password = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(`ssh anna@${host.ip}`).waitFor()
  const login = await connect({ host: host.ip, port: host.port }, { user: 'anna', password }, undefined)
  await login.end()

  await host.run('systemd-run -q --unit=lab-web python3 -m http.server 8080')
  await tabs.getByRole('link', { name: 'Firewall' }).click()
  await page.getByText('Only what the rules below let in reaches').waitFor()
  expect(await isOpen(host, 8080)).toBe(false)
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('Port').fill('8080')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect.poll(() => isOpen(host, 8080)).toBe(true)
  await page.getByText('Added: Lets in TCP port 8080 from everywhere.').locator('..').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The rule was taken out again.').waitFor()
  expect(await isOpen(host, 8080)).toBe(false)
  await host.run('systemctl stop lab-web')
}
