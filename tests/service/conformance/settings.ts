/** What every provider must do for its hostname and SSH key over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import type { MachineLogin } from './servers'

/** A server without a running install, and its login. */
export type SettingsTarget = Target & { id: string; login: MachineLogin; wrongPass: string }

const done = { status: 200, body: { success: true } }

export const setHostname = (target: SettingsTarget, hostname: string): Promise<Said> =>
  post(target, `/servers/${target.id}/hostname`, { hostname })

/** Without other fields the server has to show its known host key. */
export const resetKey = (target: SettingsTarget, fields: Record<string, string> = {}): Promise<Said> =>
  post(target, `/servers/${target.id}/hostname`, { user: target.login.user, pass: target.login.pass, ...fields })

async function itemOf(target: SettingsTarget): Promise<Record<string, unknown>> {
  const { body } = await get(target, '/servers/')
  return (body.items as Record<string, unknown>[]).find(({ id }) => id === target.id) ?? {}
}

export async function summaryOf(target: SettingsTarget): Promise<Record<string, unknown>> {
  const { status, body } = await get(target, `/servers/${target.id}/summary`)
  expect(status).toBe(200)
  return (body.item as Record<string, unknown>[])[0] ?? {}
}

export async function proveHostname(target: SettingsTarget): Promise<void> {
  for (const name of ['web-1', 'Mail.Example.ORG', 'mail.example.org']) {
    expect(await setHostname(target, name)).toMatchObject(done)
    expect((await summaryOf(target)).hostname).toBe(name.toLowerCase())
    expect((await itemOf(target)).hostname).toBe(name.toLowerCase())
  }
  const refused = [
    '',
    '-web',
    'web-',
    'a b',
    'web_1',
    'a..b',
    '.',
    '1.2.3.4',
    '42',
    'localhost',
    'a'.repeat(65),
    'web\n1',
    '$(id)',
    "';id;'",
    'é',
  ]
  for (const name of refused) {
    const { status, body } = await setHostname(target, name)
    expect({ name, status, fields: Object.keys(body.fields ?? {}) }).toEqual({ name, status: 422, fields: ['hostname'] })
  }
  expect((await summaryOf(target)).hostname).toBe('mail.example.org')
  // Two changes at once run one after the other, and the server has the hostname that the list shows.
  for (const said of await Promise.all([setHostname(target, 'one'), setHostname(target, 'two')])) expect(said).toMatchObject(done)
  expect((await summaryOf(target)).hostname).toBe((await itemOf(target)).hostname)
  expect(await post(target, '/servers/no-such-server/hostname', { hostname: 'web' })).toMatchObject({ status: 404 })
}

export async function proveResetKey(target: SettingsTarget): Promise<void> {
  const { host_key: hostKey } = await itemOf(target)
  const asked = await resetKey(target, { host_key: 'ask', pass: '' })
  expect(asked).toMatchObject({ status: 424, body: { code: 'host_key_unconfirmed', host_key: hostKey } })
  expect(await resetKey(target, { pass: target.wrongPass })).toMatchObject({ status: 424, body: { code: 'login_failed' } })
  expect(await resetKey(target, { host_key: `SHA256:${'A'.repeat(43)}` })).toMatchObject({
    status: 424,
    body: { code: 'host_key_changed', host_key: hostKey },
  })
  for (const fields of [{ user: 'a b' }, { pass: '' }, { host_key: 'yes' }])
    expect(await resetKey(target, fields)).toMatchObject({
      status: 422,
      body: { code: 'invalid', fields: { [Object.keys(fields)[0] ?? '']: expect.any(String) } },
    })
  // The failures changed nothing: the existing SSH key still works.
  expect(await setHostname(target, 'before')).toMatchObject(done)
  for (const fields of [{}, { host_key: String(hostKey) }]) {
    expect(await resetKey(target, fields)).toMatchObject(done)
    expect(await setHostname(target, 'after')).toMatchObject(done)
  }
  expect(await itemOf(target)).toMatchObject({ host_key: hostKey, state: 'new' })
  // A body that matches both operations, or neither.
  for (const fields of [{ hostname: 'web', user: 'root', pass: 'x' }, {}])
    expect(await post(target, `/servers/${target.id}/hostname`, fields)).toMatchObject({ status: 422, body: { code: 'ambiguous' } })
  expect(await post(target, '/servers/no-such-server/hostname', { user: 'root', pass: 'x' })).toMatchObject({ status: 404 })
}
