/** What every provider must do for the logs of sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite } from '../support/slow-work'
import { newSite, type SitesTarget } from './sites'

const domain = 'logs.example.org'
const names = ['access', 'error', 'php']

const fetchSiteLog = (target: Target, id: string, log: string): Promise<Said> => post(target, `/sites/${id}/fetchlog`, { log })

export async function readSiteLog(target: Target, id: string, log: string): Promise<string> {
  const { status, body } = await fetchSiteLog(target, id, log)
  expect({ log, status, error: body.error, logs: body.logs }).toEqual({ log, status: 200, error: undefined, logs: names })
  return String(body.content)
}

const otherNames = [
  '',
  'Access',
  'access ',
  'access.log',
  '../error',
  `../../${domain}/access`,
  '/etc/shadow',
  '-f',
  '$(id)',
  "php'; id; '",
  'access\nphp',
  'site:logs.example.org:access',
  'auth',
  '__proto__',
  'access\u0000',
]

/** stranger: the same service with the key of another account. Leaves the server without the site that it creates. */
export async function proveSiteLogs(target: SitesTarget, stranger: Target): Promise<void> {
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  for (const name of names) await readSiteLog(target, id, name)
  for (const log of otherNames) {
    expect([log, await fetchSiteLog(target, id, log)]).toMatchObject([log, { status: 422, body: { code: 'invalid' } }])
  }
  expect(await post(target, `/sites/${id}/fetchlog`, {})).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await post(target, `/sites/${id}/fetchlog`, { 'log[]': 'access' })).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect((await get(target, `/sites/${id}/fetchlog`)).status).toBe(405)
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const])
    expect(await fetchSiteLog(who, which, 'access')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const other = String((await createSite(target, newSite(target, 'other.example.org'))).body.id)
  expect(await readSiteLog(target, other, 'access')).not.toContain(domain)
  for (const each of [id, other]) expect(await deleteSite(target, each, '?without_backup=1')).toMatchObject({ status: 200 })
  expect(await fetchSiteLog(target, id, 'access')).toMatchObject({ status: 404 })
}
