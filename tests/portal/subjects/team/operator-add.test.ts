/** gatehouse users add and invite: as far as in the portal, by whoever has the shell. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { recoverAccount } from '@/lib/portal/identity/recovery'
import { acceptInvitation, findInvitation } from '@/lib/portal/subjects/team/accept'
import { addAccount, inviteAddress } from '@/lib/portal/subjects/team/operator-add'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const device = { peer: '192.0.2.1', userAgent: 'test' }
const password = 'a long enough secret of seven words'

/** With the usual LOG_LEVEL, because scripts read standard output. */
async function runUsers({ settings }: PortalDatabase, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: '' }
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/portal/entry/users.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

const tokenOf = (text: string) => /[?&]token=([^&\s]+)/.exec(text)?.[1] ?? ''

const entries = async ({ db }: PortalDatabase, action: string) =>
  (await db.auditRow.findMany({ where: { action }, orderBy: { seq: 'asc' } })).map((row) => [row.actorKind, row.stage, row.outcome])

test('gatehouse users invite prints a link that makes its holder a member, and the audit log has it', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  const { code, stdout, stderr } = await runUsers(portal, ['invite', 'New@Example.org', '--role', 'operator', '--until', '2031-05-31'])
  expect({ code, stdout, stderr }).toEqual({
    stderr: '',
    code: 0,
    stdout: expect.stringMatching(/^new@example\.org is invited\. .*\nhttp\S+\/invite\?token=\S+\n$/),
  })
  const token = tokenOf(stdout)
  expect(await findInvitation(token)).toMatchObject({ email: 'new@example.org', role: 'operator', invitedBy: owner.user.name })
  expect(await acceptInvitation(token, { name: 'New', password }, device, null)).toMatchObject({ ok: true })
  const [member] = await portal.db.membership.findMany({ where: { user: { email: 'new@example.org' } }, include: { grants: true } })
  expect(member).toMatchObject({ role: 'operator', endsAt: new Date('2031-05-31T23:59:59.999Z'), grants: [expect.anything()] })
  expect(await findInvitation(token)).toBeNull()
  expect(await entries(portal, 'invitation.create')).toEqual([
    ['operator', 'intent', 'asked'],
    ['operator', 'outcome', 'done'],
  ])
  const [row] = await portal.db.auditRow.findMany({ where: { action: 'invitation.create' } })
  expect(JSON.stringify(row)).not.toContain(token)
}, 60_000)

test('gatehouse users add makes a member whose link sets the password once', async () => {
  await using portal = await openPortalDatabase()
  await (await createTeam()).join('owner')
  const args = ['add', 'new@example.org', '--name', 'New Person', '--role', 'viewer', '--no-access']
  const { code, stdout, stderr } = await runUsers(portal, args)
  expect({ code, stdout, stderr }).toEqual({
    stderr: '',
    code: 0,
    stdout: expect.stringMatching(/^new@example\.org is a member\. .*\nhttp\S+\/recover\?token=\S+\n$/),
  })
  const [member] = await portal.db.membership.findMany({
    where: { user: { email: 'new@example.org' } },
    include: { grants: true, user: true },
  })
  expect(member).toMatchObject({ role: 'viewer', endsAt: null, grants: [], user: { name: 'New Person', passwordHash: null } })
  expect(await recoverAccount(tokenOf(stdout), password, device)).toMatchObject({ ok: true, data: { sid: expect.any(String) } })
  expect(await recoverAccount(tokenOf(stdout), password, device)).toMatchObject({ ok: false })
  expect(await entries(portal, 'member.add')).toEqual([
    ['operator', 'intent', 'asked'],
    ['operator', 'outcome', 'done'],
  ])
  expect(await runUsers(portal, args)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('An account with this address exists'),
  })
  expect((await entries(portal, 'member.add')).at(-1)).toEqual(['operator', 'outcome', 'failed'])
}, 60_000)

test('with --json both print the address and the link for a script', async () => {
  await using portal = await openPortalDatabase()
  await (await createTeam()).join('owner')
  for (const [args, path] of [
    [['add', 'new@example.org', '--name', 'New Person', '--role', 'viewer', '--json'], '/recover?token='],
    [['invite', 'other@example.org', '--role', 'viewer', '--json'], '/invite?token='],
  ] as const) {
    const { code, stdout, stderr } = await runUsers(portal, [...args])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ email: args[1], link: expect.stringContaining(path) })
  }
}, 60_000)

test('whoever is added gets everything unless they are a guest, or it is left out', async () => {
  await using portal = await openPortalDatabase()
  await (await createTeam()).join('owner')
  const grantsOf = async (role: string, access: boolean) => {
    const email = `${role}-${access}@example.org`
    expect(await addAccount({ email, role, until: '', access, name: 'Somebody' })).toMatchObject({ email })
    return portal.db.grant.count({ where: { membership: { user: { email } } } })
  }
  expect([await grantsOf('admin', true), await grantsOf('admin', false), await grantsOf('guest', true)]).toEqual([1, 0, 0])
})

test('an invited address cannot be added, because its link would outlive the membership', async () => {
  await using portal = await openPortalDatabase()
  await (await createTeam()).join('owner')
  const given = { email: 'new@example.org', until: '', access: true }
  expect(await inviteAddress({ ...given, role: 'admin' })).toHaveProperty('link')
  const add = () => addAccount({ ...given, role: 'viewer', name: 'New' })
  expect(await add()).toEqual({ refusal: 'This address is already invited. Resend or revoke that invitation.' })
  expect(await portal.db.user.count({ where: { email: given.email } })).toBe(0)
  await portal.db.invitation.updateMany({ data: { revokedAt: new Date() } })
  expect(await add()).toHaveProperty('link')
})

test('every owner is notified of an owner who was added, and of nobody else', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const owners = [await team.join('owner'), await team.join('owner')]
  await team.join('admin')
  const add = (role: string) => addAccount({ email: `${role}@example.org`, role, until: '', access: true, name: `New ${role}` })
  expect(await add('admin')).toHaveProperty('link')
  expect(await add('owner')).toHaveProperty('link')
  const told = await portal.db.notification.findMany({ where: { kind: 'owners_changed' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual(owners.map(({ user }) => user.id).sort())
  expect(told.map(({ detail }) => JSON.parse(detail))).toEqual(
    Array(2).fill({ name: 'New owner', change: 'added', by: 'the server administrator' }),
  )
})

test('without its link nobody is added, so that the command can be repeated', async () => {
  await using portal = await openPortalDatabase()
  await (await createTeam()).join('owner')
  await portal.db.$executeRawUnsafe(`CREATE TRIGGER full BEFORE INSERT ON OneTimeLink BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
  const add = () => addAccount({ email: 'new@example.org', role: 'viewer', until: '', access: true, name: 'New' })
  await add().catch(() => null)
  await portal.db.$executeRawUnsafe('DROP TRIGGER full')
  expect(await add()).toHaveProperty('link')
})

test('what is refused changes nothing', async () => {
  await using portal = await openPortalDatabase()
  const given = { email: 'new@example.org', role: 'viewer', until: '', access: true }
  expect(await inviteAddress(given)).toEqual({ refusal: expect.stringContaining('no owner yet') })
  const member = await (await createTeam()).join('owner')
  expect(await inviteAddress({ ...given, email: 'nobody' })).toEqual({ refusal: expect.stringContaining('email address') })
  expect(await inviteAddress({ ...given, role: 'root' })).toEqual({ refusal: expect.stringMatching(/^--role: /) })
  expect(await inviteAddress({ ...given, until: '2020-01-01' })).toEqual({ refusal: expect.stringMatching(/^--until: /) })
  expect(await addAccount({ ...given, name: ' ' })).toEqual({ refusal: expect.stringMatching(/^--name: /) })
  expect(await inviteAddress({ ...given, email: member.user.email })).toEqual({ refusal: 'This address belongs to a member.' })
  expect(await inviteAddress(given)).toHaveProperty('link')
  expect(await inviteAddress(given)).toEqual({ refusal: expect.stringContaining('already invited') })
  expect([await portal.db.invitation.count(), await portal.db.user.count()]).toEqual([1, 1])
  for (const args of [
    ['invite', 'a@b.example'],
    ['add', 'a@b.example', '--role', 'viewer'],
    ['invite', '--role', 'viewer'],
    ['add', '--nothing'],
  ]) {
    expect(await runUsers(portal, args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^Usage: gatehouse users/) })
  }
}, 60_000)
