/** What every provider must do for email of sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite, streamEmail, streamSsl } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget } from './sites'

const domain = 'post.example.org'
const alias = 'alias.example.org'
const other = 'second.example.org'
const hostname = 'mail.example.org'

/** leadHere: makes names lead to the server. The names of a sandbox server do so without it. */
/** anyway: its name server does not say where mail goes, so email is switched on whatever it would say. */
export type EmailTarget = SitesTarget & { leadHere?: (names: readonly string[]) => Promise<void>; anyway?: true }

type Fields = Record<'user' | 'password' | 'destination', string>

const good: Fields = { user: 'info', password: '', destination: 'someone@example.net' }
const save = (target: Target, id: string, fields: Partial<Fields> = {}): Promise<Said> =>
  post(target, `/sites/${id}/saveemail`, { ...good, ...fields })
const remove = (target: Target, id: string, user: string): Promise<Said> => post(target, `/sites/${id}/deleteemail`, { user })
const anywayOf = ({ anyway }: Pick<EmailTarget, 'anyway'>) => (anyway ? ({ anyway: '1' } as const) : {})
const setEmail = (target: Target & Pick<EmailTarget, 'anyway'>, id: string, status: string): Promise<Said> =>
  post(target, `/sites/${id}/setemail`, { status, ...anywayOf(target) })
const done = { status: 200, body: { success: true } }

const emailOf = (target: Target, id: string) => itemOf(target, `/sites/${id}/email`)

async function openPorts(target: SitesTarget): Promise<string[]> {
  const { body } = await get(target, `/servers/${target.id}/firewall`)
  const ports = (body.rules as { port: string }[]).map(({ port }) => port)
  return ['25', '465', '587'].filter((port) => ports.includes(port))
}

/** By field, values that the field refuses. */
const refused: Readonly<Record<keyof Fields, readonly string[]>> = {
  user: [
    '',
    '@',
    'in fo',
    'info@example.org',
    '-info',
    '.info',
    'info.',
    'in..fo',
    'info+note',
    '*',
    'żółw',
    '|cat',
    '/etc/passwd',
    'a/b',
    '$(id)',
    '`id`',
    "in'fo",
    'in"fo',
    'in\nfo',
    'in\tfo',
    'in\u0000fo',
    'a:b',
    'a=b',
    'a\\b',
    '%',
    'i'.repeat(65),
  ],
  destination: [
    '',
    'someone',
    '@example.net',
    'someone@',
    'someone@localhost',
    'someone@com',
    'some one@example.net',
    'a@b@example.net',
    '|cat@example.net',
    '/tmp/x',
    ':include:/etc/passwd',
    'a!b@example.net',
    'a%b@example.net',
    '"a b"@example.net',
    'a@[192.0.2.1]',
    'a,b@example.net',
    'a@example.net,b@example.net',
    'a@example.net b@example.net',
    'a@example.net\nb@example.net',
    '$(id)@example.net',
    '`id`@example.net',
    '\u0000@example.net',
    'a@192.0.2.1',
    '.a@example.net',
    'a..b@example.net',
    `${'a'.repeat(250)}@example.net`,
  ],
  password: ['short', 'two\nlines', 'a carriage\rreturn', 'an escape \u001b[31m', 'x'.repeat(201), 'x'.repeat(4096)],
}

async function proveRefusals(target: SitesTarget, id: string): Promise<void> {
  for (const [field, values] of Object.entries(refused)) {
    for (const value of values) {
      const { status, body } = await save(target, id, { [field]: value })
      expect([field, value, status, body.code === 'ambiguous' ? 'invalid' : body.code]).toEqual([field, value, 422, 'invalid'])
    }
  }
  for (const status of ['', '2', 'on', 'yes'])
    expect(await setEmail(target, id, status)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await remove(target, id, 'in fo')).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await remove(target, id, 'nobody')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await emailOf(target, id)).toMatchObject({ email: false, emails: [] })
}

/** The interface knows no order of these calls. A password travels only under the certificate of the site, so it works once there is one. */
async function provePasswordFirst(target: SitesTarget, id: string): Promise<void> {
  const early = { user: 'early', password: 'a harbour' }
  expect(await save(target, id, early)).toMatchObject({ status: 200, body: { success: true, sends_after: 'ssl' } })
  expect((await save(target, id, { ...early, password: '' })).body).toEqual({ success: true })
  expect((await emailOf(target, id)).emails).toEqual([{ user: 'early', destination: 'someone@example.net' }])
  expect(await remove(target, id, 'early')).toMatchObject(done)
}

async function proveOn(target: EmailTarget, id: string): Promise<void> {
  expect(await streamEmail(target, id, { status: '1' }, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  expect(await save(target, id)).toMatchObject(done)
  expect(await openPorts(target)).toEqual([])
  const on = { status: '1', ...anywayOf(target) } as const
  const begun = await streamEmail(target, id, on, { until: 2 })
  const whole = await streamEmail(target, id, on, { lastEventId: (begun.events[0]?.id ?? 0) - 1 })
  expectWhole(whole, { success: true })
  const steps = ['Check the server', 'Mail programs', 'Addresses', 'Mail server', 'Firewall']
  expect(whole.events.map(({ step }) => step)).toEqual(expect.arrayContaining(steps))
  expect(whole.events.at(-1)).toMatchObject({ message: `Email of ${domain} is on.` })
  expect(await openPorts(target)).toEqual(['25', '465', '587'])
  const item = await emailOf(target, id)
  expect(item).toMatchObject({ domain, email: true, emails: [{ user: 'info', destination: 'someone@example.net' }], elsewhere: '' })
  expect(item.server).toMatchObject({ hostname })
  const records = item.records as { type: string; name: string; expected: string; state: string }[]
  expect(records.map(({ type }) => type)).toEqual(expect.arrayContaining([...(target.anyway ? [] : ['MX']), 'SPF', 'DKIM', 'DMARC']))
  expect(records.find(({ type }) => type === 'DKIM')).toMatchObject({
    name: `gatehouse._domainkey.${domain}`,
    state: 'missing',
    expected: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]+=*$/),
  })
  // What DNS does not answer is not reported.
  const judgedMx = records.filter(({ type }) => type === 'MX')
  expect(judgedMx.map(({ name, state, expected }) => [name, state === 'ready' || expected])).toEqual(
    target.anyway ? [] : [[domain, expect.toBeOneOf([true, `10 ${hostname}.`])]],
  )
  expect((await itemOf(target, `/sites/${id}/summary`)).records).toEqual(judgedMx)
  // Switching on again changes nothing.
  expect(await setEmail(target, id, '1')).toMatchObject(done)
  expect((await emailOf(target, id)).emails).toEqual([{ user: 'info', destination: 'someone@example.net' }])
}

async function proveAddresses(target: SitesTarget, id: string, otherId: string): Promise<void> {
  expectWhole(await streamSsl(target, id, '1'), { success: true })
  for (const password of ['a harbour', `Pass ü$(id)"'\\1`, '--password x'])
    expect((await save(target, id, { user: 'Sales', password })).body).toEqual({ success: true })
  expect(await save(target, id, { user: 'postmaster', destination: 'Zolw+x@Żółw.example.net' })).toMatchObject(done)
  expect((await emailOf(target, id)).emails).toEqual([
    { user: 'info', destination: 'someone@example.net' },
    { user: 'postmaster', destination: 'Zolw+x@xn--w-uga1v8h.example.net' },
    { user: 'sales', destination: 'someone@example.net' },
  ])
  const circles = { status: 409, body: { code: 'unsuitable', error: expect.stringContaining('go round in circles') } }
  expect(await save(target, id, { destination: `info@${domain}` })).toMatchObject(circles)
  expect(await save(target, id, { destination: `INFO+x@${domain.toUpperCase()}` })).toMatchObject(circles)
  // Over two sites, of which one has email off.
  expect(await save(target, otherId, { user: 'a', destination: `b@${domain}` })).toMatchObject(done)
  expect(await save(target, id, { user: 'b', destination: `a@${other}` })).toMatchObject(circles)
  expect(await save(target, id, { user: 'b', destination: `b@${other}` })).toMatchObject(done)
  expect(await save(target, otherId, { user: 'b', destination: `a@${other}` })).toMatchObject(circles)
  const error = expect.stringContaining('aliases get no mail')
  expect(await save(target, id, { destination: `info@${alias}` })).toMatchObject({ status: 409, body: { code: 'unsuitable', error } })
  // Whole addresses of the site are the same as their users, and those of other domains are none of it.
  expect(await save(target, id, { user: ` Sales@${domain.toUpperCase()} `, destination: 'moved@example.net' })).toMatchObject(done)
  expect((await emailOf(target, id)).emails).toContainEqual({ user: 'sales', destination: 'moved@example.net' })
  const foreign = { status: 422, body: { code: 'invalid', fields: { user: expect.any(String) } } }
  for (const user of [`sales@${other}`, `sales@${alias}`, `a@sales@${domain}`, `@${domain}`]) {
    expect([user, await save(target, id, { user })]).toMatchObject([user, foreign])
    expect([user, await remove(target, id, user)]).toMatchObject([user, foreign])
  }
  for (const user of [`sales@${domain}`, 'b', 'postmaster']) expect(await remove(target, id, user)).toMatchObject(done)
  expect((await emailOf(target, id)).emails).toEqual([{ user: 'info', destination: 'someone@example.net' }])
}

async function proveOff(target: EmailTarget, id: string, otherId: string): Promise<void> {
  expect(await setEmail(target, otherId, '1')).toMatchObject(done)
  const off = await streamEmail(target, id, { status: '0' })
  expectWhole(off, { success: true })
  expect(off.events.at(-1)).toMatchObject({ message: `Email of ${domain} is off. Its addresses are kept.` })
  expect(await emailOf(target, id)).toMatchObject({ email: false, emails: [{ user: 'info', destination: 'someone@example.net' }] })
  // Open as long as another site has email, which ends with that site.
  expect(await openPorts(target)).toEqual(['25', '465', '587'])
  expect(await deleteSite(target, otherId, '?without_backup=1')).toMatchObject({ status: 200 })
  expect(await openPorts(target)).toEqual([])
  expect(await setEmail(target, id, '1')).toMatchObject(done)
  expect(await setEmail(target, id, '0')).toMatchObject(done)
  expect(await openPorts(target)).toEqual([])
}

/** stranger: the same service with the key of another account. Leaves the server without the sites that it creates. */
export async function proveEmail(target: EmailTarget, stranger: Target): Promise<void> {
  await target.leadHere?.([domain, alias, other])
  expect(await post(target, `/servers/${target.id}/hostname`, { hostname })).toMatchObject({ status: 200 })
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  const otherId = String((await createSite(target, newSite(target, other))).body.id)
  expect(await post(target, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const]) {
    const absent = { status: 404, body: { code: 'not_found' } }
    expect(await get(who, `/sites/${which}/email`)).toMatchObject(absent)
    for (const said of [await setEmail(who, which, '1'), await save(who, which), await remove(who, which, 'info')])
      expect(said).toMatchObject(absent)
  }
  await proveRefusals(target, id)
  await provePasswordFirst(target, id)
  await proveOn(target, id)
  await proveAddresses(target, id, otherId)
  await proveOff(target, id, otherId)
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
}
