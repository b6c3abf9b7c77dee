/** What every provider must do for SSL of sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite, streamSsl } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget, siteOf } from './sites'

const domain = 'ssl.example.org'
const www = `www.${domain}`
const second = `second.${domain}`
const third = `third.${domain}`
/** Nothing answers where these lead, if anywhere. On the sandbox, their first label says so. */
const unreachable = `unreachable.${domain}`
const nowhere = 'noaddress.example.org'

/** leadHere: makes names lead to the server. The names of a sandbox server do so without it. */
export type SslTarget = SitesTarget & { leadHere?: (names: readonly string[]) => Promise<void> }

const setSsl = (target: Target, id: string, status: string): Promise<Said> => post(target, `/sites/${id}/setssl`, { status })

/** What the settings tell about SSL. The names that the certificate covers in one order, whichever it lists them in. */
async function settingsOf(target: Target, id: string) {
  const item = await itemOf(target, `/sites/${id}/settings`)
  const { ssl, names, left_out, issued, expires, problem, checks } = item
  const covered = [...(item.covered as string[])].sort()
  return { domain: item.domain, ssl, names, covered, left_out, issued, expires, problem, checks } as Record<string, unknown>
}

/** The certificate as the settings show it. */
async function certificateOf(target: Target, id: string) {
  const { covered, left_out, issued, expires, problem } = await settingsOf(target, id)
  return { covered, left_out, issued, expires, problem }
}

const noCertificate = { covered: [], left_out: [], issued: '', expires: '', problem: '' }

async function proveOff(target: SitesTarget, id: string): Promise<void> {
  const checks = [domain, www].map((name) => ({ name, result: 'ready', reason: '' }))
  expect(await settingsOf(target, id)).toEqual({ domain, ssl: false, names: [domain, www], ...noCertificate, checks })
  expect(await siteOf(target, domain)).toMatchObject({ ssl: false, expires: '' })
  expect(await streamSsl(target, id, '1', { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  expect(await setSsl(target, 'no-such-site', '1')).toMatchObject({ status: 404, body: { code: 'not_found' } })
  for (const status of ['', '2', 'on']) expect(await setSsl(target, id, status)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await certificateOf(target, id)).toEqual(noCertificate)
}

/** Switched on by a client that is cut off and comes back, and by one that only waits for the answer. */
async function proveOn(target: SitesTarget, id: string): Promise<void> {
  const begun = await streamSsl(target, id, '1', { until: 2 })
  const first = begun.events[0]?.id ?? 0
  const whole = await streamSsl(target, id, '1', { lastEventId: first - 1 })
  expectWhole(whole, { success: true })
  expect(whole.events.slice(0, begun.events.length)).toEqual(begun.events)
  expect((await streamSsl(target, id, '1', { lastEventId: first })).events).toEqual(whole.events.slice(1))
  expect(whole.events.map(({ step }) => step)).toEqual(expect.arrayContaining(['Check the names', 'Certificate', 'Web server']))
  expect(whole.events.at(-1)).toMatchObject({ message: `SSL of ${domain} is on.` })
  const settings = await settingsOf(target, id)
  expect(settings).toMatchObject({ ssl: true, names: [domain, www], covered: [domain, www], left_out: [], problem: '' })
  const [issued, expires] = [String(settings.issued), String(settings.expires)]
  for (const moment of [issued, expires]) expect(new Date(moment).toISOString().slice(0, 19)).toBe(moment.slice(0, 19))
  expect(Date.parse(issued)).toBeLessThan(Date.now() + 60_000)
  expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 60_000)
  await expect.poll(() => siteOf(target, domain), { timeout: 30_000, interval: 300 }).toMatchObject({ ssl: true, expires })
  // Nothing is left to do, so the certificate stays.
  expect(await setSsl(target, id, '1')).toMatchObject({ status: 200, body: { success: true } })
  expect(await certificateOf(target, id)).toMatchObject({ issued, expires })
}

async function proveNames(target: SitesTarget, id: string): Promise<void> {
  const save = async (alias: string, more = '0') =>
    expect(await post(target, `/sites/${id}/savealias`, { alias, more })).toMatchObject({ status: 200, body: { success: true } })
  const covered = async () => (await certificateOf(target, id)).covered
  await save(second)
  expect(await covered()).toEqual([second, domain, www])
  const { issued } = await certificateOf(target, id)
  await save(third, '1')
  expect(await settingsOf(target, id)).toMatchObject({
    ssl: true,
    names: [domain, second, third, www],
    covered: [second, domain, www],
    issued,
  })
  await save(unreachable)
  expect(await certificateOf(target, id)).toMatchObject({
    covered: [second, domain, third, www],
    left_out: [{ name: unreachable, reason: expect.stringContaining(unreachable) }],
    problem: '',
  })
  for (const alias of [second, unreachable]) {
    expect(await post(target, `/sites/${id}/deletealias`, { alias })).toMatchObject({ status: 200, body: { success: true } })
  }
  expect(await certificateOf(target, id)).toMatchObject({ covered: [domain, third, www], left_out: [] })
}

async function proveOffAndOn(target: SitesTarget, id: string): Promise<void> {
  const certificate = await certificateOf(target, id)
  expect(await setSsl(target, id, '0')).toMatchObject({ status: 200, body: { success: true } })
  expect(await settingsOf(target, id)).toMatchObject({ ssl: false, ...certificate })
  await expect.poll(() => siteOf(target, domain), { timeout: 30_000, interval: 300 }).toMatchObject({ ssl: false })
  const off = await streamSsl(target, id, '0')
  expectWhole(off, { success: true })
  expect(off.events.at(-1)).toMatchObject({ message: `SSL of ${domain} is off. Its certificate is kept.` })
  expectWhole(await streamSsl(target, id, '1'), { success: true })
  expect(await settingsOf(target, id)).toMatchObject({ ssl: true, ...certificate })
}

async function proveBlocked(target: SitesTarget): Promise<void> {
  const { body } = await createSite(target, newSite(target, nowhere))
  const id = String(body.id)
  const reason = expect.stringContaining(`${nowhere} has no address in DNS`)
  expect(await settingsOf(target, id)).toMatchObject({ ssl: false, checks: [{ name: nowhere, result: 'blocked', reason }] })
  expect(await setSsl(target, id, '1')).toMatchObject({ status: 409, body: { success: false, code: 'unsuitable', error: reason } })
  const { events } = await streamSsl(target, id, '1')
  expect(events.at(-1)).toMatchObject({
    step: 'Check the names',
    status: 'failed',
    result: { success: false, code: 'unsuitable', error: reason },
  })
  expect(await settingsOf(target, id)).toMatchObject({ ssl: false, ...noCertificate })
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
}

/** Leaves the server without the sites that it creates. */
export async function proveSsl(target: SslTarget): Promise<void> {
  await target.leadHere?.([domain, www, second, third])
  const { body } = await createSite(target, newSite(target, domain, { www: '1' }))
  const id = String(body.id)
  await proveOff(target, id)
  await proveOn(target, id)
  await proveNames(target, id)
  await proveOffAndOn(target, id)
  await proveBlocked(target)
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
  expect(await get(target, `/sites/${id}/settings`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
}
