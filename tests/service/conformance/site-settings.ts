/** What every provider must do for the settings of sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite, streamSettings } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget } from './sites'

const domain = 'settings.example.org'

/** makeFolder: below `public` of a site. A sandbox server has all but those whose name begins with `missing`. */
export type SettingsTarget = SitesTarget & { makeFolder?: (user: string, folder: string) => Promise<void> }

export type SettingsFields = Record<
  'php' | 'upload_limit' | 'memory_limit' | 'folder' | 'workers' | 'waiting' | 'www_redirect' | 'hsts' | 'mail_per_hour',
  string
>

const configure = (target: Target, id: string, fields: Record<string, string>): Promise<Said> =>
  post(target, `/sites/${id}/configure`, fields)

async function settingsOf(target: Target, id: string): Promise<SettingsFields & { php_versions: string[] }> {
  const found = await itemOf(target, `/sites/${id}/settings`)
  const { php, php_versions, upload_limit, memory_limit, folder, workers, waiting, hsts, mail_per_hour } = found
  const www_redirect = found.www_redirect ? '1' : '0'
  return {
    php,
    php_versions,
    upload_limit,
    memory_limit,
    folder,
    workers,
    waiting,
    www_redirect,
    hsts,
    mail_per_hour,
  } as SettingsFields & {
    php_versions: string[]
  }
}

/** By field, values that the field refuses. */
const refused: Readonly<Record<keyof SettingsFields, readonly string[]>> = {
  php: ['', '8', '8.2; id', '$(id)', '8.2\n', '../8.2', 'php8.2', '-1.2', '8.2 8.4', `8.${'2'.repeat(400)}`],
  upload_limit: ['', '0', '1001', '-1', '64M', '6.4', '0x40', '1e2', '$(id)', '64\n128', '9'.repeat(400)],
  memory_limit: ['', '31', '1001', '-1', '256M', '$(id)', "256'", '256\n'],
  folder: [
    '..',
    '../private',
    'web/..',
    'web/../../private',
    './web',
    '.git',
    'web/.git',
    '-rf',
    'web//app',
    '/etc/../web',
    'we b',
    'web"',
    "web'",
    'web\\',
    'web\n</VirtualHost>',
    'web\u0000',
    '$(id)',
    '`id`',
    '%{ENV:x}',
    `\${x}`,
    'web>',
    'wéb',
    'web;',
    '*',
    'w'.repeat(201),
  ],
  workers: ['', '0', '31', '-1', '1.5', '0x4', '$(id)', '4\n8', '9'.repeat(400)],
  waiting: ['', '31', '-1', '1e1', '`id`', '4;'],
  www_redirect: ['', '2', 'yes', '$(id)', '-1'],
  hsts: ['', '-1', '63072001', '1e3', '300"', '300\n', '$(id)'],
  mail_per_hour: ['', '0', '5001', '-1', '1e2', '$(id)', '4\n8'],
}

/** Absent, these stay as they are. */
const mayBeAbsent = ['workers', 'waiting', 'www_redirect', 'hsts', 'mail_per_hour']

async function proveRefusals(target: SettingsTarget, id: string, good: Omit<SettingsFields, 'mail_per_hour'>): Promise<void> {
  for (const [field, values] of Object.entries(refused)) {
    for (const value of values) {
      const { status, body } = await configure(target, id, { ...good, [field]: value })
      expect([field, value, status, body.code]).toEqual([field, value, 422, 'invalid'])
      expect(Object.keys(body.fields ?? {})).toEqual([field])
    }
  }
  for (const field of Object.keys(refused).filter((name) => !mayBeAbsent.includes(name))) {
    const { [field]: _, ...rest } = good as Record<string, string>
    expect(await configure(target, id, rest)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  }
  const offWithoutSsl = await configure(target, id, { ...good, hsts: '300' })
  expect(offWithoutSsl).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringMatching(/SSL of the site is off/) } })
  const absent = [{ php: '5.6' }, { folder: 'missing' }, { folder: 'missing/below' }]
  for (const fields of absent) {
    const error = expect.stringMatching(/^(PHP 5\.6 is not installed|There is no folder public\/missing).*nothing was changed\.$/i)
    expect(await configure(target, id, { ...good, ...fields })).toMatchObject({ status: 409, body: { code: 'unsuitable', error } })
  }
}

/** stranger: the same service with the key of another account. Leaves the server without the site that it creates. */
export async function proveSettings(target: SettingsTarget, stranger: Target): Promise<void> {
  const { body } = await createSite(target, newSite(target, domain, { www: '1' }))
  const id = String(body.id)
  const user = String((await itemOf(target, `/sites/${id}/summary`)).user)
  const before = await settingsOf(target, id)
  // As many as the server's memory allows.
  expect(before).toMatchObject({ workers: expect.stringMatching(/^([12]\d|30)$/), waiting: '30' })
  expect(before).toMatchObject({ www_redirect: '0', hsts: '0', mail_per_hour: '200' })
  expect(before).toMatchObject({ upload_limit: '64', memory_limit: '256', folder: '', php: expect.stringMatching(/^\d\.\d$/) })
  expect(before.php_versions).toContain(before.php)
  const { php } = before
  const good = {
    php,
    upload_limit: '100',
    memory_limit: '300',
    folder: 'web/app',
    workers: '12',
    waiting: '20',
    www_redirect: '1',
    hsts: '0',
  }
  await target.makeFolder?.(user, 'web/app')

  expect(await streamSettings(target, id, good, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  expect((await get(target, `/sites/${id}/configure`)).status).toBe(405)
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const])
    expect(await configure(who, which, good)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  await proveRefusals(target, id, good)
  expect(await settingsOf(target, id)).toEqual(before)

  // By a client that is cut off and comes back.
  const begun = await streamSettings(target, id, good, { until: 1 })
  const whole = await streamSettings(target, id, good, { lastEventId: (begun.events[0]?.id ?? 0) - 1 })
  expectWhole(whole, { success: true })
  expect([...new Set(whole.events.map(({ step }) => step))]).toEqual(['Check the server', 'PHP', 'Web server'])
  expect(whole.events.at(-1)).toMatchObject({ message: `The settings of ${domain} are saved.` })
  expect(await settingsOf(target, id)).toEqual({ ...before, ...good })
  expect(await itemOf(target, `/sites/${id}/summary`)).toMatchObject({ root: '/public/web/app', state: 'ready' })

  // Saving the same again changes nothing; slashes around a folder do not count; other work keeps the settings.
  expect(await configure(target, id, { ...good, folder: ' /web/app/ ' })).toMatchObject({ status: 200, body: { success: true } })
  expect(await post(target, `/sites/${id}/savealias`, { alias: 'second.example.org' })).toMatchObject({ status: 200 })
  expect(await settingsOf(target, id)).toEqual({ ...before, ...good })
  expect(await configure(target, id, { php, upload_limit: '1', memory_limit: '1000', folder: '' })).toMatchObject({ status: 200 })
  const numbers = { workers: '12', waiting: '20', www_redirect: '1' }
  expect(await settingsOf(target, id)).toEqual({ ...before, ...numbers, upload_limit: '1', memory_limit: '1000' })
  expect(await configure(target, id, { php, upload_limit: '1', memory_limit: '1000', folder: '', waiting: '0' })).toMatchObject({
    status: 200,
  })
  expect(await settingsOf(target, id)).toMatchObject({ workers: '12', waiting: '0', mail_per_hour: '200' })
  const mail = { mail_per_hour: '50' }
  expect(await configure(target, id, { php, upload_limit: '1', memory_limit: '1000', folder: '', ...mail })).toMatchObject({ status: 200 })
  expect(await settingsOf(target, id)).toMatchObject({ workers: '12', waiting: '0', ...mail })
  expect(await itemOf(target, `/sites/${id}/summary`)).toMatchObject({ root: '/public' })
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
}
