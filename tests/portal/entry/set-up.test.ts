import { expect, test } from 'vitest'
import { setUpOwner } from '@/lib/portal/entry/set-up'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { createSetupLink, isSetupOpen } from '@/lib/portal/identity/setup-link'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openPortalDatabase, type PortalDatabase } from '../../support/portal-database'
import { device, password } from '../identity/people'

const owner = { teamName: ' Reiherteich ', name: 'Ada Lovelace', email: 'Ada@Example.org', password, apiKey: '' }

async function openInstallation(environment: Record<string, string> = {}): Promise<PortalDatabase> {
  const portal = await openPortalDatabase({ environment })
  await portal.db.team.create({ data: { id: 'team', name: 'Gatehouse' } })
  return portal
}

const tokenOf = (link: string | null): string => new URL(link ?? 'missing:').searchParams.get('token') ?? ''

test('the link creates the first owner, names the team and signs in', async () => {
  await using portal = await openInstallation()
  const link = await createSetupLink()
  expect(link).toMatch(/^http:\/\/localhost:3000\/setup\?token=[\w-]{43}$/)
  const done = await setUpOwner(tokenOf(link), owner, device)
  expect(await findActorBySid(done.ok ? done.data.sid : '')).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@example.org' },
    team: { id: 'team', name: 'Reiherteich' },
    role: 'owner',
  })
  expect((await signInWithPassword({ email: 'ada@example.org', password }, device)).ok).toBe(true)
  const record = await portal.db.auditRow.findMany({ where: { action: 'owner.setUp' }, orderBy: { seq: 'asc' } })
  expect(record.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual(['intent asked', 'outcome done'])
})

test('if twenty people use the same link at once, one becomes the owner', async () => {
  await using portal = await openInstallation()
  const token = tokenOf(await createSetupLink())
  const tries = Array.from({ length: 20 }, (_, n) => setUpOwner(token, { ...owner, email: `ada${n}@example.org` }, device))
  const done = await Promise.all(tries)
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await portal.db.user.count()).toBe(1)
  expect(await portal.db.membership.count()).toBe(1)
})

test('once there is an owner no link is created, and an old one is invalid', async () => {
  await using portal = await openInstallation()
  const token = tokenOf(await createSetupLink())
  await setUpOwner(token, owner, device)
  expect(await createSetupLink()).toBeNull()
  await portal.db.oneTimeLink.updateMany({ data: { usedAt: null } })
  expect(await isSetupOpen(token)).toBe(false)
  expect(await setUpOwner(token, { ...owner, email: 'eve@example.org' }, device)).toMatchObject({
    ok: false,
    problem: { code: 'not_found' },
  })
})

test('opening a link changes nothing; a new one replaces it; only its hash is stored', async () => {
  await using portal = await openInstallation()
  const first = tokenOf(await createSetupLink())
  expect([await isSetupOpen(first), await isSetupOpen(first)]).toEqual([true, true])
  const second = tokenOf(await createSetupLink())
  expect([await isSetupOpen(first), await isSetupOpen(second)]).toEqual([false, true])
  expect(JSON.stringify(await portal.db.oneTimeLink.findMany())).not.toContain(second)
  expect(await portal.db.oneTimeLink.count()).toBe(1)
})

test('a link that expired, was created for something else or was guessed is invalid', async () => {
  await using portal = await openInstallation()
  const token = tokenOf(await createSetupLink())
  for (const guess of ['', 'x', 'A'.repeat(43), `${token}\n`, token.toLowerCase(), undefined, ['token']])
    expect(await isSetupOpen(guess)).toBe(false)
  await portal.db.oneTimeLink.updateMany({ data: { purpose: 'recover' } })
  expect(await isSetupOpen(token)).toBe(false)
  await portal.db.oneTimeLink.updateMany({ data: { purpose: 'setup', expiresAt: new Date() } })
  expect(await isSetupOpen(token)).toBe(false)
  expect((await setUpOwner(token, owner, device)).ok).toBe(false)
})

test('refused fields are named, and the link stays valid', async () => {
  await using portal = await openInstallation()
  const token = tokenOf(await createSetupLink())
  const refused = await setUpOwner(
    token,
    { teamName: ' ', name: 'A\u202eda', email: 'ada＠example.org', password: 'Lovelace', apiKey: '' },
    device,
  )
  expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(Object.keys((refused.ok ? null : refused.problem.fields) ?? {})).toEqual(['teamName', 'name', 'email', 'password'])
  expect(await isSetupOpen(token)).toBe(true)
  expect(await portal.db.auditRow.count()).toBe(0)
})

test('with a foreign service set-up requires its API key', async () => {
  await using _portal = await openInstallation({ UPSTREAM_URL: 'http://127.0.0.1:9' })
  const token = tokenOf(await createSetupLink())
  expect(await setUpOwner(token, owner, device)).toMatchObject({
    ok: false,
    problem: { fields: { apiKey: 'Enter the API key of the service.' } },
  })
})

test('if a foreign service does not answer, nothing is left behind and the link stays valid', async () => {
  await using portal = await openInstallation({ UPSTREAM_URL: 'http://127.0.0.1:9' })
  const token = tokenOf(await createSetupLink())
  const refused = await setUpOwner(token, { ...owner, apiKey: 'a-key-that-nobody-asked' }, device)
  expect(refused).toMatchObject({ ok: false, problem: { code: 'upstream_unreachable', fields: { apiKey: expect.any(String) } } })
  expect(await portal.db.connection.count()).toBe(0)
  expect(await portal.db.user.count()).toBe(0)
  expect(await isSetupOpen(token)).toBe(true)
})
