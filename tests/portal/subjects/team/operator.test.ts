import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { recheckActor } from '@/lib/portal/identity/actor'
import { removeSecondFactor, switchAccount } from '@/lib/portal/subjects/team/operator'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { addActorWithApp } from '../../identity/second-factor/authenticator'

/** With the usual LOG_LEVEL, because scripts read standard output. */
async function runUsers({ settings }: PortalDatabase, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: '' }
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/portal/entry/users.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('security 21: the operator removes a lost second factor: sessions end, the log says so, the person and every owner are notified', async () => {
  await using portal = await openPortalDatabase()
  const { actor, person } = await addActorWithApp()
  const membership = { role: 'viewer', teamId: person.teamId, userId: person.userId } as const
  await portal.db.membership.updateMany({ where: { userId: person.userId }, data: membership })
  const ownerId = 'another-person-who-owns-it'
  const memberships = { create: { teamId: person.teamId, role: 'owner' } } as const
  await portal.db.user.create({ data: { id: ownerId, email: 'owner@example.org', name: 'Bea', memberships } })
  expect(await runUsers(portal, ['remove-second-factor', person.email])).toMatchObject({
    code: 0,
    stdout: `The second factor of ${person.email} was removed, and all its sessions ended.\n`,
  })
  expect([await portal.db.totp.count(), await portal.db.recoveryCode.count(), await recheckActor(actor.sessionId)]).toEqual([0, 0, null])
  const told = await portal.db.notification.findMany({ where: { kind: 'second_factor_removed' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([person.userId, ownerId].sort())
  const [row] = await portal.db.auditRow.findMany({ where: { action: 'member.removeSecondFactor' } })
  expect(row).toMatchObject({ actorKind: 'operator', objectId: person.userId, outcome: 'done' })
  expect(await removeSecondFactor(person.email)).toEqual({ refusal: 'This account has no second factor.' })
  expect(await removeSecondFactor('nobody@example.org')).toEqual({ refusal: 'No user has this email address.' })
})

test('npm run users lists, disables and enables accounts, and reports errors in one line', async () => {
  await using portal = await openPortalDatabase()
  const member = await (await createTeam()).join('operator')
  const { email } = member.user
  expect(await runUsers(portal, ['disable', email])).toMatchObject({ code: 0, stdout: `${email} is disabled and signed out.\n` })
  expect(await recheckActor(member.sessionId)).toBeNull()
  expect((await runUsers(portal, ['list'])).stdout).toBe(`${email}\toperator\tdisabled\n`)
  expect(JSON.parse((await runUsers(portal, ['list', '--json'])).stdout)).toEqual([{ email, role: 'operator', state: 'disabled' }])
  expect(await switchAccount(email, true)).toEqual({ refusal: 'This account is already disabled.' })
  expect(await switchAccount(email, false)).toEqual({ done: `${email} is enabled.` })
  expect(await portal.db.user.count({ where: { disabledAt: { not: null } } })).toBe(0)
  expect(await switchAccount('nobody@example.org', false)).toEqual({ refusal: 'No user has this email address.' })
  expect(await runUsers(portal, ['delete', email])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Usage: gatehouse users list/),
  })
  const rows = await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ actorKind, action, stage, outcome }) => [actorKind, action, stage, outcome])).toEqual([
    ['operator', 'member.disable', 'intent', 'asked'],
    ['operator', 'member.disable', 'outcome', 'done'],
    ['operator', 'member.enable', 'intent', 'asked'],
    ['operator', 'member.enable', 'outcome', 'done'],
  ])
})

test('security 21: the shell does not disable the last owner either; owners and admins are notified of connections that Gatehouse froze', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  const connectionId = await team.connect(upstream, { ownerId: operator.user.id, label: 'Own' })
  const refusal = 'This is the last owner. Make another member an owner first.'
  expect(await switchAccount(owner.user.email, true)).toEqual({ refusal })
  expect(await recheckActor(owner.sessionId)).toMatchObject({ role: 'owner' })
  expect(await switchAccount(operator.user.email, true)).toMatchObject({ done: expect.stringContaining('is disabled') })
  const told = await portal.db.notification.findMany({ where: { kind: 'key_frozen', subjectId: connectionId } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([owner.user.id, admin.user.id].sort())
  const second = await team.join('owner')
  expect(await switchAccount(second.user.email, true)).toMatchObject({ done: expect.any(String) })
})
