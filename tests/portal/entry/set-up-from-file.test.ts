/** gatehouse setup: owner, invitations and a connection from a file, all or none. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { setUpFromFile } from '@/lib/portal/entry/set-up-from-file'
import type { Setup } from '@/lib/portal/entry/setup-file'
import { hashPassword } from '@/lib/portal/identity/password'
import { recoverAccount } from '@/lib/portal/identity/recovery'
import { createSetupLink, isSetupOpen } from '@/lib/portal/identity/setup-link'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { acceptInvitation } from '@/lib/portal/subjects/team/accept'
import { openPortalDatabase, type PortalDatabase } from '../../support/portal-database'
import { startUpstream } from '../../support/upstream/upstream'
import { device, password } from '../identity/people'

async function openInstallation(environment: Record<string, string> = {}): Promise<PortalDatabase> {
  const portal = await openPortalDatabase({ environment })
  await portal.db.team.create({ data: { id: 'team', name: 'Gatehouse' } })
  return portal
}

const setup: Setup = {
  team: 'Reiherteich',
  owner: { name: 'Robin', email: 'robin@example.org' },
  invitations: [
    { email: 'kim@example.org', role: 'admin' },
    { email: 'sam@example.org', role: 'viewer', until: new Date('2031-05-31T23:59:59.999Z'), access: false },
  ],
  connection: undefined,
}

const tokenOf = (link: string | null | undefined): string => new URL(link ?? 'missing:').searchParams.get('token') ?? ''

const recorded = async ({ db }: PortalDatabase) =>
  (await db.auditRow.findMany({ orderBy: { seq: 'asc' } })).map((row) => `${row.actorKind} ${row.action} ${row.outcome}`)

const counts = async ({ db }: PortalDatabase) =>
  Promise.all([db.user.count(), db.membership.count(), db.invitation.count(), db.connection.count()])

test('it makes the owner, whose link sets the password, the invitations and the connection, and logs each', async () => {
  await using portal = await openInstallation()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha' })
  const setupToken = tokenOf(await createSetupLink())
  const connection = { label: 'Hosting', address: upstream.origin, key: upstream.key }
  const done = await setUpFromFile({ ...setup, connection })
  expect(done).toMatchObject({
    ok: true,
    data: { owner: { email: 'robin@example.org' }, connection: { label: 'Hosting', servers: 1 } },
  })
  const data = done.ok ? done.data : null
  expect(await recoverAccount(tokenOf(data?.owner.link), password, device)).toMatchObject({ ok: true })
  expect((await signInWithPassword({ email: 'robin@example.org', password }, device)).ok).toBe(true)
  const [kim, sam] = data?.invitations ?? []
  expect((await acceptInvitation(tokenOf(kim?.link), { name: 'Kim', password }, device, null)).ok).toBe(true)
  expect((await acceptInvitation(tokenOf(sam?.link), { name: 'Sam', password }, device, null)).ok).toBe(true)
  const members = await portal.db.membership.findMany({ include: { user: true, grants: true }, orderBy: { createdAt: 'asc' } })
  expect(members.map(({ user, role, endsAt, grants }) => [user.name, role, endsAt, grants.length])).toEqual([
    ['Robin', 'owner', null, 1],
    ['Kim', 'admin', null, 1],
    ['Sam', 'viewer', new Date('2031-05-31T23:59:59.999Z'), 0],
  ])
  expect(await portal.db.team.findFirst()).toMatchObject({ name: 'Reiherteich' })
  expect(await portal.db.connection.findFirst()).toMatchObject({ state: 'working', extensions: true, ownerId: null })
  expect((await recorded(portal)).slice(0, 8)).toEqual([
    'operator owner.setUp asked',
    'operator invitation.create asked',
    'operator invitation.create asked',
    'operator connection.create asked',
    'operator owner.setUp done',
    'operator invitation.create done',
    'operator invitation.create done',
    'operator connection.create done',
  ])
  expect(JSON.stringify(await portal.db.auditRow.findMany(), (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toMatch(
    new RegExp([upstream.key, tokenOf(kim?.link)].join('|')),
  )
  expect(await isSetupOpen(setupToken)).toBe(false)
})

test('with a hash of the password there is no link', async () => {
  await using portal = await openInstallation()
  const passwordHash = await hashPassword(password)
  const done = await setUpFromFile({ owner: { ...setup.owner, passwordHash }, connection: undefined })
  expect(done).toMatchObject({ ok: true, data: { owner: { link: null }, invitations: [], connection: null } })
  expect((await signInWithPassword({ email: 'robin@example.org', password }, device)).ok).toBe(true)
  expect(await portal.db.team.findFirst()).toMatchObject({ name: 'Gatehouse' })
})

test.each([
  {
    why: 'two invitations of one address',
    given: { ...setup, invitations: [...(setup.invitations ?? []), { email: 'kim@example.org', role: 'guest' as const }] },
    fields: { 'invitations[2].email': expect.stringContaining('already invited') },
    outcome: 'operator owner.setUp failed',
  },
  {
    why: 'an invitation of the owner',
    given: { ...setup, invitations: [{ email: 'robin@example.org', role: 'guest' as const }] },
    fields: { 'invitations[0].email': 'This address belongs to a member.' },
    outcome: 'operator owner.setUp failed',
  },
  {
    why: 'a key that the service does not accept',
    given: { ...setup, connection: { label: 'Hosting', address: 'upstream', key: 'not-the-right-key' } },
    fields: { 'connection.key': expect.stringContaining('does not accept this API key') },
    outcome: undefined,
  },
  {
    why: 'an address that is none',
    given: { ...setup, connection: { label: 'Hosting', address: 'nonsense', key: 'not-the-right-key' } },
    fields: { 'connection.address': expect.stringContaining('https://host') },
    outcome: undefined,
  },
  {
    why: 'a connection without a name',
    given: { ...setup, connection: { label: undefined, address: 'https://example.org', key: 'not-the-right-key' } },
    fields: { 'connection.label': 'Enter a name.' },
    outcome: undefined,
  },
])('$why is refused by field, and leaves nothing behind', async ({ given, fields, outcome }) => {
  await using portal = await openInstallation()
  await using upstream = await startUpstream()
  const setupToken = tokenOf(await createSetupLink())
  const { connection } = given
  const address = connection?.address === 'upstream' ? upstream.origin : connection?.address
  const done = await setUpFromFile({ ...given, connection: connection && { ...connection, address } })
  expect(done.ok ? null : done.problem.fields).toEqual(fields)
  expect(await counts(portal)).toEqual([0, 0, 0, 0])
  expect((await recorded(portal)).filter((line) => line.startsWith('operator owner.setUp')).at(1)).toBe(outcome)
  expect(await isSetupOpen(setupToken)).toBe(true)
})

test('with UPSTREAM_URL the connection needs only a key, and one is needed', async () => {
  await using upstream = await startUpstream()
  await using portal = await openInstallation({ UPSTREAM_URL: upstream.origin })
  const without = await setUpFromFile(setup)
  expect(without.ok ? null : without.problem.fields).toEqual({ connection: 'Enter the API key of the service in UPSTREAM_URL.' })
  const done = await setUpFromFile({ ...setup, connection: { label: undefined, address: undefined, key: upstream.key } })
  expect(done).toMatchObject({ ok: true, data: { connection: { label: new URL(upstream.origin).host } } })
  expect(await counts(portal)).toEqual([1, 1, 2, 1])
})

test('of several at once one makes the owner, and where there is an owner nothing happens', async () => {
  await using portal = await openInstallation()
  const tries = Array.from({ length: 5 }, (_, n) => setUpFromFile({ ...setup, owner: { name: 'Robin', email: `robin${n}@example.org` } }))
  expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1)
  expect(await counts(portal)).toEqual([1, 1, 2, 0])
  const lines = await recorded(portal)
  expect(await setUpFromFile(setup)).toMatchObject({ ok: false, problem: { sentence: expect.stringMatching(/^An owner already exists/) } })
  expect(await recorded(portal)).toEqual(lines)
})

test('gatehouse setup FILE prints links or JSON once, never a key, and refuses with code 1 or 2', async () => {
  await using portal = await openInstallation()
  const { settings } = portal
  const run = (args: string[], input = '') => {
    const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: '' }
    const command = ['--conditions=react-server', '--import', 'tsx', 'lib/portal/entry/setup.ts', ...args]
    const running = promisify(execFile)(process.execPath, command, { env })
    running.child.stdin?.end(input)
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  }
  const file = join(settings.dataDir, 'setup.json')
  const { team, owner, invitations = [] } = setup
  const given = { team, owner, invitations: invitations.map(({ until, ...each }) => ({ ...each, ...(until && { until: '2031-05-31' }) })) }
  writeFileSync(file, JSON.stringify({ ...given, invitations: [{ email: 'kim@example.org', role: 'boss' }] }), { mode: 0o600 })
  const role = 'invitations[0].role: Use owner, admin, operator, viewer or guest.'
  expect(await run([file])).toMatchObject({ code: 1, stdout: '', stderr: `${file}, ${role}\n` })
  expect(await run(['--json'])).toMatchObject({ code: 2, stdout: '', stderr: 'Usage: gatehouse setup FILE [--json]\n' })
  const done = await run(['-', '--json'], JSON.stringify(given))
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(done.stdout)).toEqual({
    owner: { ...setup.owner, link: expect.stringMatching(/\/recover\?token=/) },
    invitations: ['kim', 'sam'].map((who) => ({ email: `${who}@example.org`, link: expect.stringMatching(/\/invite\?token=/) })),
    connection: null,
  })
  expect(await run(['-'], JSON.stringify(given))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'An owner already exists, so nothing was changed. ./gatehouse users invites and adds members.\n',
  })
})
