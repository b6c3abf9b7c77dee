import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findActorBySid, findAwaitingBySid, recheckActor } from '@/lib/portal/identity/actor'
import { createRecoveryLink, findRecovering, recoverAccount } from '@/lib/portal/identity/recovery'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openPortalDatabase, type PortalDatabase } from '../../support/portal-database'
import { addPerson, device, openFor, password } from './people'
import { addActorWithApp } from './second-factor/authenticator'

const newPassword = 'Fünf Störche fliegen fort'
const tokenOf = (link: string | null): string => new URL(link ?? 'missing:').searchParams.get('token') ?? ''

test('security 16: a new password set with the link ends every session of the old password', async () => {
  await using _portal = await openPortalDatabase()
  const person = await addPerson()
  const { sessionId } = await openFor(person)
  const done = await recoverAccount(tokenOf(await createRecoveryLink(' ADA@example.org')), newPassword, device)
  expect(await recheckActor(sessionId)).toBeNull()
  expect(await findActorBySid((done.ok && done.data.sid) || '')).toMatchObject({ user: { id: person.userId } })
  expect((await signInWithPassword({ email: person.email, password }, device)).ok).toBe(false)
  expect((await signInWithPassword({ email: person.email, password: newPassword }, device)).ok).toBe(true)
})

test('security 21: with a second factor the link opens a session that still awaits it', async () => {
  await using _portal = await openPortalDatabase()
  const { person } = await addActorWithApp()
  const done = await recoverAccount(tokenOf(await createRecoveryLink(person.email)), newPassword, device)
  const sid = (done.ok && done.data.sid) || ''
  expect([await findActorBySid(sid), (await findAwaitingBySid(sid))?.awaits]).toEqual([null, 'secondFactor'])
})

test('security 16: where single sign-on is required, a member’s link sets the password and opens no session', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson({ role: 'viewer' })
  const link = tokenOf(await createRecoveryLink(person.email))
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: true } })
  expect(await recoverAccount(link, newPassword, device)).toEqual({ ok: true, data: { sid: null } })
  expect(await portal.db.session.count()).toBe(0)
})

test('if one link is used twenty times at once, one use sets the password', async () => {
  await using portal = await openPortalDatabase()
  const token = tokenOf(await createRecoveryLink((await addPerson()).email))
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => recoverAccount(token, `${newPassword} ${n}`, device)))
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await portal.db.session.count()).toBe(1)
})

test('a user who is throttled because of an attacker can sign in immediately with the link', async () => {
  await using _portal = await openPortalDatabase()
  const { email } = await addPerson()
  for (let n = 0; n < 5; n += 1) await signInWithPassword({ email, password: 'a guess' }, device)
  await recoverAccount(tokenOf(await createRecoveryLink(email)), newPassword, device)
  expect((await signInWithPassword({ email, password: newPassword }, device)).ok).toBe(true)
})

test('creating and using a link are logged', async () => {
  await using portal = await openPortalDatabase()
  await recoverAccount(tokenOf(await createRecoveryLink((await addPerson()).email)), newPassword, device)
  const rows = await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ actorKind, action, stage, outcome }) => `${actorKind} ${action} ${stage} ${outcome}`)).toEqual([
    'operator owner.recoverLink event done',
    'user owner.recover intent asked',
    'user owner.recover outcome done',
  ])
})

test('a refused password leaves the link valid; a used or expired link, or one of a disabled user, is not', async () => {
  await using portal = await openPortalDatabase()
  const { email, userId } = await addPerson()
  const token = tokenOf(await createRecoveryLink(email))
  expect(await recoverAccount(token, 'too short', device)).toMatchObject({
    ok: false,
    problem: { fields: { password: expect.any(String) } },
  })
  expect(await findRecovering(token)).toEqual({ email })
  await portal.db.oneTimeLink.updateMany({ data: { expiresAt: new Date() } })
  expect((await recoverAccount(token, newPassword, device)).ok).toBe(false)
  const next = tokenOf(await createRecoveryLink(email))
  await portal.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
  expect(await findRecovering(next)).toBeNull()
  expect((await recoverAccount(next, newPassword, device)).ok).toBe(false)
  expect(await createRecoveryLink(email)).toBeNull()
  expect(await createRecoveryLink('nobody@example.org')).toBeNull()
})

async function runOwner(
  { settings }: PortalDatabase,
  args: string[],
  extra: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: 'silent', ...extra }
  const run = promisify(execFile)(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', 'lib/portal/entry/owner.ts', ...args],
    {
      env,
    },
  )
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('npm run owner -- recover EMAIL prints a working link while the portal runs', async () => {
  await using portal = await openPortalDatabase()
  const { email } = await addPerson()
  const { code, stdout } = await runOwner(portal, ['recover', email])
  expect(code).toBe(0)
  expect(await findRecovering(tokenOf(/http\S+/.exec(stdout)?.[0] ?? null))).toEqual({ email })
})

test('npm run owner reports errors in one line', async () => {
  await using portal = await openPortalDatabase()
  expect(await runOwner(portal, ['recover', 'nobody@example.org'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'No active user has this email address.\n',
  })
  expect(await runOwner(portal, ['promote'])).toMatchObject({
    code: 2,
    stderr: 'Usage: gatehouse owner recover EMAIL\n       gatehouse owner setup\n',
  })
  const nowhere = { GATEHOUSE_DATA: '/nonexistent' }
  expect(await runOwner(portal, ['recover', 'ada@example.org'], nowhere)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database at .+\n$/),
  })
  expect(await runOwner(portal, ['recover', 'ada@example.org'], { PORT: 'x' })).toMatchObject({
    code: 78,
    stderr: expect.stringMatching(/^PORT is invalid: .+\n$/),
  })
})
