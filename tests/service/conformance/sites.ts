/** What every provider must do for sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite, type ListedSite, listSites, streamCreation, streamDeletion, type WorkStream } from '../support/slow-work'

/** An installed server without sites. */
export type SitesTarget = Target & { id: string }

const sitePassword = 'a harbour "in" $(november)'

export const newSite = (target: SitesTarget, domain: string, more: { password?: string; www?: string } = {}) => ({
  domain,
  server: target.id,
  password: sitePassword,
  ...more,
})

export async function siteOf(target: Target, domain: string): Promise<ListedSite> {
  const found = (await listSites(target)).find((site) => site.domain === domain)
  if (!found) throw new Error(`${domain} is not listed`)
  return found
}

export async function itemOf(target: Target, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await get(target, path)
  expect({ path, status, success: body.success }).toEqual({ path, status: 200, success: true })
  return (body.item as Record<string, unknown>[])[0] ?? {}
}

/** Rising numbers, rising progress, and exactly one last event, which carries the answer. */
export function expectWhole({ status, events }: WorkStream, result: unknown): void {
  expect(status).toBe(200)
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => (events[0]?.id ?? 0) + index))
  expect(events.every(({ progress }, index) => progress >= (events[index - 1]?.progress ?? 0))).toBe(true)
  expect(events.slice(0, -1).every((event) => event.status === 'running' && event.result === undefined)).toBe(true)
  expect(events.at(-1)).toMatchObject({ status: 'done', progress: 100, result })
  expect(JSON.stringify(events)).not.toContain(sitePassword)
}

async function proveCreation(target: SitesTarget): Promise<string> {
  const site = newSite(target, 'Żółw.example.org', { www: '1' })
  expect(await streamCreation(target, site, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  const begun = await streamCreation(target, site, { until: 2 })
  expect(begun.events.length).toBeGreaterThanOrEqual(2)
  const first = begun.events[0]?.id ?? 0
  const creating = await siteOf(target, 'xn--w-uga1v8h.example.org')
  const [one, other] = await Promise.all([
    streamCreation(target, site, { lastEventId: first - 1 }),
    streamCreation(target, { ...site, password: 'any other password' }, { lastEventId: first }),
  ])
  expectWhole(one, { success: true, id: creating.id })
  expect(one.events.slice(0, begun.events.length)).toEqual(begun.events)
  expect(other.events).toEqual(one.events.slice(1))
  expect(new Set(one.events.map(({ step }) => step)).size).toBeGreaterThan(3)
  return creating.id
}

async function proveReads(target: SitesTarget, id: string): Promise<void> {
  const domain = 'xn--w-uga1v8h.example.org'
  await expect.poll(async () => (await siteOf(target, domain)).usage, { timeout: 30_000, interval: 300 }).toMatch(/^\d+$/)
  expect(await siteOf(target, domain)).toMatchObject({
    id,
    domain,
    server: target.id,
    state: 'ready',
    ssl: false,
    expires: '',
    php: expect.stringMatching(/^\d\.\d$/),
  })
  const server = await itemOf(target, `/servers/${target.id}/summary`)
  expect(await itemOf(target, `/sites/${id}/summary`)).toMatchObject({
    domain,
    disk_usage: expect.stringMatching(/^\d+$/),
    dns: { A: expect.any(String), MX: expect.any(String) },
    server: { name: server.name, ip: server.ip, dns: server.dns },
    expected: { A: server.ip, MX: '' },
    state: 'ready',
    user: expect.stringMatching(/^[a-z][a-z0-9]{4,23}$/),
    root: '/public',
  })
  expect(await itemOf(target, `/sites/${id}/settings`)).toMatchObject({ domain, ssl: false, names: [domain, `www.${domain}`], expires: '' })
  for (const path of ['summary', 'settings', 'delete']) {
    expect(await get(target, `/sites/no-such-site/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
}

/** The user of a site gets a new password like any other, but is neither listed nor deleted as a system user. */
async function proveSiteUser(target: SitesTarget, id: string): Promise<void> {
  const user = String((await itemOf(target, `/sites/${id}/summary`)).user)
  const { body } = await get(target, `/servers/${target.id}/systemusers`)
  expect((body.users as { name: string }[]).map(({ name }) => name)).not.toContain(user)
  const jobs = (await get(target, `/servers/${target.id}/cronjobs`)).body
  expect(jobs.site_users).toEqual([{ user, domain: 'xn--w-uga1v8h.example.org' }])
  expect(await post(target, `/servers/${target.id}/savesystemuser`, { user, pass: 'another harbour' })).toMatchObject({ status: 200 })
  const refused = await post(target, `/servers/${target.id}/deletesystemuser`, { user })
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringContaining('xn--w-uga1v8h.example.org') } })
}

/** A database of the site's own, whose password can be anything in one line. */
async function proveDatabase(target: SitesTarget, id: string): Promise<void> {
  const { user } = await itemOf(target, `/sites/${id}/summary`)
  expect(await itemOf(target, `/sites/${id}/database`)).toEqual({
    domain: 'xn--w-uga1v8h.example.org',
    db_name: user,
    server: { ip: expect.any(String) },
    user,
    host: 'localhost',
  })
  expect((await get(target, `/sites/${id}/database/tables`)).body).toEqual({ success: true, tables: [], details: [] })
  const passwords = ['quotes \' and " and \\', '$(touch /tmp/x) `id` $HOME', 'zażółć gęślą 🦊', '-rf --help; # %s', `${'p'.repeat(499)}.`]
  for (const password of passwords) {
    const { status, body } = await post(target, `/sites/${id}/savedatabase`, { password })
    expect({ password, status, body }).toEqual({ password, status: 200, body: { success: true, rewritten: [] } })
  }
  for (const password of ['', 'short', 'two\nlines', 'x'.repeat(501)]) {
    await expectRefused(await post(target, `/sites/${id}/savedatabase`, { password }), password, 'password')
  }
  for (const path of ['database', 'database/tables']) {
    expect(await get(target, `/sites/no-such-site/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
}

const aliasesOf = async (target: Target, id: string): Promise<{ domain: string; dns: unknown }[]> =>
  (await itemOf(target, `/sites/${id}/aliases`)).aliases as { domain: string; dns: unknown }[]

/** Added and deleted while the site answers; refused for names that are taken, and nothing changes. */
async function proveAliases(target: SitesTarget, id: string): Promise<void> {
  const www = 'www.xn--w-uga1v8h.example.org'
  const save = (alias: string) => post(target, `/sites/${id}/savealias`, { alias })
  const remove = (alias: string) => post(target, `/sites/${id}/deletealias`, { alias })
  expect((await aliasesOf(target, id)).map(({ domain }) => domain)).toEqual([www])
  expect(await save('Zweite-Adresse-ü.example.org')).toMatchObject({ status: 200, body: { success: true } })
  const added = 'xn--zweite-adresse--ewb.example.org'
  expect((await aliasesOf(target, id)).map(({ domain }) => domain)).toEqual([www, added])
  expect((await itemOf(target, `/sites/${id}/settings`)).names).toEqual(['xn--w-uga1v8h.example.org', www, added])
  expect((await siteOf(target, 'xn--w-uga1v8h.example.org')).aliases).toEqual([www, added])
  for (const taken of [added, www, 'żółw.example.org']) await expectRefused(await save(taken), taken, 'alias')
  for (const odd of ['', '*.example.org', 'a b.example.org', '$(id).example.org', '192.0.2.1', 'co.uk'])
    await expectRefused(await save(odd), odd, 'alias')
  expect(await remove('never.example.org')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await remove(added)).toMatchObject({ status: 200, body: { success: true } })
  expect((await aliasesOf(target, id)).map(({ domain }) => domain)).toEqual([www])
}

async function expectRefused(said: Said, what: string, field: string): Promise<void> {
  const { status, body } = said
  expect({ what, status, code: body.code, why: Object.keys(body.fields ?? {}) }).toEqual({
    what,
    status: 422,
    code: 'invalid',
    why: [field],
  })
}

async function proveRefusals(target: SitesTarget): Promise<void> {
  const before = await listSites(target)
  for (const domain of ['żółw.example.org', 'XN--W-UGA1V8H.example.org', 'www.żółw.example.org']) {
    await expectRefused(await createSite(target, newSite(target, domain)), domain, 'domain')
  }
  const domains = ['', ' ', 'example', 'co.uk', '192.0.2.7', '1.2', '[2001:db8::1]', '-a.example.org', 'a-.example.org', 'a..example.org']
  const hostile = [
    'a b.example.org',
    'a\nb.example.org',
    '$(id).example.org',
    "a';id;'.example.org",
    'a/../b.example.org',
    '*.example.org',
    'a_b.example.org',
  ]
  const long = [`${'a'.repeat(64)}.example.org`, `${'ż'.repeat(60)}.example.org`, `${'a.'.repeat(124)}example.org`, 'xn--a.example.org']
  for (const domain of [...domains, ...hostile, ...long]) {
    await expectRefused(await createSite(target, newSite(target, domain)), domain, 'domain')
  }
  for (const password of ['', 'short', 'two\nlines', 'a carriage\rreturn', 'an escape \u001b[31m', 'x'.repeat(501), 'x'.repeat(4096)]) {
    await expectRefused(await createSite(target, newSite(target, 'refused-password.example.org', { password })), password, 'password')
  }
  const elsewhere = await createSite(target, { ...newSite(target, 'elsewhere.example.org'), server: 'no-such-server' })
  expect(elsewhere).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await listSites(target)).toEqual(before)
}

/** Passwords with every character that a shell, a database or a file could interpret, each taken as it is. */
async function provePasswords(target: SitesTarget): Promise<void> {
  const passwords = ['quotes \' and " and \\', '$(touch /tmp/x) `id` $HOME', 'zażółć gęślą 🦊', '-rf --help; # %s', `${'p'.repeat(499)}.`]
  for (const [index, password] of passwords.entries()) {
    const domain = `password-${index}.example.org`
    const created = await createSite(target, newSite(target, domain, { password }))
    expect(created).toMatchObject({ status: 200, body: { success: true, id: (await siteOf(target, domain)).id } })
    expect(JSON.stringify(created.body)).not.toContain(password)
    const deleted = await deleteSite(target, String(created.body.id), '?without_backup=1')
    expect(deleted).toMatchObject({ status: 200, body: { success: true } })
    expect(deleted.body).not.toHaveProperty('backup')
  }
}

async function proveDeletion(target: SitesTarget, id: string): Promise<void> {
  expect(await streamDeletion(target, id, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  const begun = await streamDeletion(target, id, { until: 1 })
  const first = begun.events[0]?.id ?? 0
  const rest = await streamDeletion(target, id, { lastEventId: first - 1 })
  expectWhole(rest, { success: true, backup: expect.stringMatching(/^\/.*xn--w-uga1v8h\.example\.org/) })
  expect((await listSites(target)).filter((site) => site.id === id)).toEqual([])
  // The site is gone, but whoever was cut off still learns how the deletion ended.
  expect((await streamDeletion(target, id, { lastEventId: first - 1 })).events).toEqual(rest.events)
  expect((await streamDeletion(target, id, { lastEventId: rest.events.at(-1)?.id ?? 0 })).events).toEqual([])
  expect(await deleteSite(target, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
}

export async function proveSites(target: SitesTarget): Promise<void> {
  expect(await listSites(target)).toEqual([])
  const id = await proveCreation(target)
  await proveReads(target, id)
  await proveSiteUser(target, id)
  await proveDatabase(target, id)
  await proveAliases(target, id)
  await proveRefusals(target)
  await provePasswords(target)
  await proveDeletion(target, id)
  // The same domain again, by two callers at once: one site.
  const both = await Promise.all([1, 2].map(() => createSite(target, newSite(target, 'twice.example.org'))))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  expect((await listSites(target)).map(({ domain }) => domain)).toEqual(['twice.example.org'])
}
