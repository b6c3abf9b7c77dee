import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { openBackupTarget } from '@/lib/portal/custody/backup-target'
import {
  addBackupTarget,
  removeBackupTarget,
  renameBackupTarget,
  replaceBackupTargetKeys,
  testBackupTarget,
} from '@/lib/portal/subjects/backup-targets/change'
import { listBackupTargets } from '@/lib/portal/subjects/backup-targets/list'
import { changeRole, removeMember } from '@/lib/portal/subjects/team/change-member'
import { findLeftBehind } from '@/lib/portal/subjects/team/left-behind'
import { applyMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

async function onlyTarget() {
  const [target, ...more] = await db().backupTarget.findMany()
  if (!target || more.length > 0) throw new Error('There is not exactly one target.')
  return target
}

const codeOf = (outcome: { ok: boolean; problem?: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem?.code)

test('a target is tested, stored with sealed keys, and listed without them; the log names it and no key', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const team = await createTeam()
  const owner = await team.join('owner')
  expect(await addBackupTarget(inputOf(owner, server.fields))).toMatchObject({ ok: true, data: { label: 'Copies', findings: [] } })
  const [view] = await listBackupTargets(owner)
  expect(view).toMatchObject({ label: 'Copies', address: `${server.endpoint}/copies/fleet/a`, problem: '', findings: [], frozenAt: null })
  expect(await openBackupTarget(await onlyTarget())).toMatchObject({ server: { accessKeyId: 'SERVERKEY' } })
  const rows = await db().auditRow.findMany({ where: { action: 'backupTarget.add' } })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['asked', 'done'])
  expect(rows[0]?.detail).toContain('Copies')
  for (const shown of [JSON.stringify(rows.map(({ detail }) => detail)), JSON.stringify(view)])
    expect(shown).not.toMatch(/canary|SERVERKEY|MAINTENANCEKEY/)
})

test('a target whose test fails is not stored, and the reason is at the field', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  const refused = await addBackupTarget(inputOf(owner, { ...server.fields, maintenanceKeySecret: 'not-the-secret' }))
  expect(refused).toMatchObject({ ok: false, problem: { fields: { maintenanceKeySecret: expect.stringContaining('secret') } } })
  expect(await db().backupTarget.count()).toBe(0)
})

test('nothing is sent before the sign-in is confirmed', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  const stepUp = async () => problem('invalid', { fields: { password: 'Enter your password.' } })
  server.rules.rights.maintenance = ['read', 'list']
  const unproven = await addBackupTarget(inputOf(owner, server.fields, { stepUp }))
  expect(codeOf(unproven)).toBe('invalid')
  expect(server.objects()).toEqual([])
})

test('roles: the team’s targets are for owners and admins, own ones for who may keep connections', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const team = await createTeam()
  const [owner, operator, viewer, guest] = [
    await team.join('owner'),
    await team.join('operator'),
    await team.join('viewer'),
    await team.join('guest'),
  ]
  const own = { ...server.fields, keeper: 'own' }
  expect(codeOf(await addBackupTarget(inputOf(operator, server.fields)))).toBe('forbidden')
  expect(codeOf(await addBackupTarget(inputOf(viewer, own)))).toBe('forbidden')
  expect(codeOf(await addBackupTarget(inputOf(guest, own)))).toBe('forbidden')
  expect(codeOf(await addBackupTarget(inputOf(owner, server.fields)))).toBe('ok')
  const targetId = (await onlyTarget()).id
  const fields = { ...server.fields, targetId, label: 'Mine', confirmName: 'Copies' }
  for (const act of [testBackupTarget, renameBackupTarget, replaceBackupTargetKeys, removeBackupTarget]) {
    expect(codeOf(await act(inputOf(operator, fields)))).toBe('forbidden')
    expect(codeOf(await act(inputOf(viewer, fields)))).toBe('forbidden')
    expect(codeOf(await act(inputOf(guest, fields)))).toBe('not_found')
  }
  expect((await listBackupTargets(viewer)).map(({ changeRefusal }) => changeRefusal)).toEqual([expect.any(String)])
  expect(await listBackupTargets(guest)).toEqual([])
  expect(codeOf(await addBackupTarget(inputOf(operator, own)))).toBe('ok')
  const { id: operators } = await db().backupTarget.findFirstOrThrow({ where: { ownerId: operator.user.id } })
  // The team's keepers see it and remove it, and do not use it.
  expect((await listBackupTargets(viewer)).map(({ id }) => id)).toEqual([targetId])
  expect((await listBackupTargets(owner)).map(({ ownerName }) => ownerName)).toEqual([null, 'The operator'])
  expect(codeOf(await testBackupTarget(inputOf(owner, { targetId: operators })))).toBe('not_found')
  expect(codeOf(await removeBackupTarget(inputOf(viewer, { targetId: operators, confirmName: 'Copies' })))).toBe('not_found')
  expect(codeOf(await removeBackupTarget(inputOf(owner, { targetId: operators, confirmName: 'Copies' })))).toBe('ok')
})

test('another team’s target is as one that does not exist', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const [ours, theirs] = [await (await createTeam()).join('owner'), await (await createTeam()).join('owner')]
  await addBackupTarget(inputOf(ours, server.fields))
  const fields = { ...server.fields, targetId: (await onlyTarget()).id, confirmName: 'Copies' }
  for (const act of [testBackupTarget, renameBackupTarget, replaceBackupTargetKeys, removeBackupTarget])
    expect(codeOf(await act(inputOf(theirs, fields)))).toBe('not_found')
  expect(await listBackupTargets(theirs)).toEqual([])
})

test('a later test stores what it found, and is recorded', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  await addBackupTarget(inputOf(owner, server.fields))
  const targetId = (await onlyTarget()).id
  server.rules.faults.PUT = { status: 507, code: '' }
  expect(await testBackupTarget(inputOf(owner, { targetId }))).toMatchObject({ ok: true, data: { problem: 'The target is full.' } })
  expect(await listBackupTargets(owner)).toMatchObject([{ problem: 'The target is full.' }])
  server.rules.faults = {}
  server.rules.versions = false
  expect(await testBackupTarget(inputOf(owner, { targetId }))).toMatchObject({
    ok: true,
    data: { problem: '', findings: [expect.stringContaining('versions')] },
  })
  expect(await listBackupTargets(owner)).toMatchObject([{ problem: '', findings: [expect.stringContaining('versions')] }])
  expect(await db().auditRow.count({ where: { action: 'backupTarget.test', stage: 'outcome', outcome: 'done' } })).toBe(2)
})

test('the old keys stay until new ones passed the test', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  await addBackupTarget(inputOf(owner, server.fields))
  const before = await onlyTarget()
  const fields = { ...server.fields, targetId: before.id }
  const refused = await replaceBackupTargetKeys(inputOf(owner, { ...fields, serverKeySecret: 'not-the-secret' }))
  expect(refused).toMatchObject({ ok: false, problem: { fields: { serverKeySecret: expect.any(String) } } })
  expect(await onlyTarget()).toEqual(before)
  // The form has no field for the address.
  server.rules.faults.PUT = { status: 503, code: 'SlowDown' }
  expect(await replaceBackupTargetKeys(inputOf(owner, fields))).toMatchObject({
    ok: false,
    problem: { fields: { serverKeyId: expect.any(String) } },
  })
  server.rules.faults = {}
  expect(codeOf(await replaceBackupTargetKeys(inputOf(owner, fields)))).toBe('ok')
  expect(await onlyTarget()).toMatchObject({ secretVersion: 2, label: 'Copies' })
})

test('a name is taken once for each keeper, and a removal needs it typed', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  await addBackupTarget(inputOf(owner, server.fields))
  expect(await addBackupTarget(inputOf(owner, server.fields))).toMatchObject({
    ok: false,
    problem: { fields: { label: expect.any(String) } },
  })
  const { id: targetId } = await onlyTarget()
  await addBackupTarget(inputOf(owner, { ...server.fields, label: 'Second' }))
  expect(await renameBackupTarget(inputOf(owner, { targetId, label: 'Second' }))).toMatchObject({
    ok: false,
    problem: { fields: { label: expect.any(String) } },
  })
  expect(codeOf(await renameBackupTarget(inputOf(owner, { targetId, label: 'First' })))).toBe('ok')
  expect(await removeBackupTarget(inputOf(owner, { targetId, confirmName: 'Copies' }))).toMatchObject({
    ok: false,
    problem: { fields: { confirmName: expect.any(String) } },
  })
  expect(codeOf(await removeBackupTarget(inputOf(owner, { targetId, confirmName: 'First' })))).toBe('ok')
  expect(await onlyTarget()).toMatchObject({ label: 'Second' })
})

test('a row whose address or owner was changed in the database sends its keys nowhere', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  await using thief = await startBucketServer()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await addBackupTarget(inputOf(owner, server.fields))
  const { id: targetId, address } = await onlyTarget()
  await db().backupTarget.update({ where: { id: targetId }, data: { address: address.replace(server.endpoint, thief.endpoint) } })
  expect(codeOf(await testBackupTarget(inputOf(owner, { targetId })))).toBe('key_locked')
  await db().backupTarget.update({ where: { id: targetId }, data: { address, ownerId: admin.user.id } })
  expect(codeOf(await testBackupTarget(inputOf(admin, { targetId })))).toBe('key_locked')
  await db().backupTarget.update({ where: { id: targetId }, data: { ownerId: null } })
  expect(codeOf(await testBackupTarget(inputOf(admin, { targetId })))).toBe('ok')
})

test('a member who is removed leaves a frozen target, and owners and admins are notified once; its owner who returns enters its keys again', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  await addBackupTarget(inputOf(operator, { ...server.fields, keeper: 'own' }))
  const { id: targetId } = await onlyTarget()
  const kept = { id: targetId, label: 'Copies', frozen: false }
  expect((await findLeftBehind(owner, operator.user.id))?.targets).toEqual([kept])
  const removed = await removeMember(inputOf(owner, { memberId: operator.user.id }))
  expect(removed).toMatchObject({ ok: true, data: { frozen: 0, frozenTargets: 1 } })
  expect(await onlyTarget()).toMatchObject({ frozenAt: expect.any(Date) })
  expect((await findLeftBehind(owner, operator.user.id))?.targets).toEqual([{ ...kept, frozen: true }])
  // Its credentials stay, for the copies that are there.
  expect(await openBackupTarget(await onlyTarget())).not.toBeNull()
  const told = await listNotifications(admin)
  expect(told.items.map(({ text }) => text)).toEqual([expect.stringContaining('“Copies” of The operator')])
  expect(await db().notification.count({ where: { kind: 'backup_target_frozen' } })).toBe(1)
  await db().membership.create({ data: { userId: operator.user.id, teamId: team.id, role: 'operator' } })
  await db().session.updateMany({ where: { userId: operator.user.id }, data: { revokedAt: null } })
  expect(codeOf(await testBackupTarget(inputOf(operator, { targetId })))).toBe('forbidden')
  expect(codeOf(await replaceBackupTargetKeys(inputOf(operator, { ...server.fields, targetId })))).toBe('ok')
  expect(await onlyTarget()).toMatchObject({ frozenAt: null })
})

test('a member whose role gives no targets any more is notified too', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  await addBackupTarget(inputOf(operator, { ...server.fields, keeper: 'own' }))
  expect(codeOf(await changeRole(inputOf(owner, { memberId: operator.user.id, role: 'viewer' })))).toBe('ok')
  expect(await onlyTarget()).toMatchObject({ frozenAt: expect.any(Date) })
  const told = await db().notification.findMany({ where: { kind: 'backup_target_frozen' }, select: { userId: true } })
  expect(told.map(({ userId }) => userId).toSorted()).toEqual([admin.user.id, operator.user.id].toSorted())
})

test('a membership that ends freezes its target, also when nothing else is left to end', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  await addBackupTarget(inputOf(operator, { ...server.fields, keeper: 'own' }))
  const endsAt = new Date(Date.now() - 1000)
  await db().membership.updateMany({ where: { userId: operator.user.id }, data: { endsAt } })
  await db().session.updateMany({ where: { userId: operator.user.id }, data: { revokedAt: endsAt } })
  for (let n = 0; n < 2; n += 1) await applyMembershipEnds()
  expect(await onlyTarget()).toMatchObject({ frozenAt: expect.any(Date) })
  expect(await db().auditRow.count({ where: { action: 'member.end', stage: 'outcome' } })).toBe(1)
  expect(await db().notification.count({ where: { kind: 'backup_target_frozen', userId: owner.user.id } })).toBe(1)
})
