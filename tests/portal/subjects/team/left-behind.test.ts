import { expect, test } from 'vitest'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { removeMember } from '@/lib/portal/subjects/team/change-member'
import { findLeftBehind } from '@/lib/portal/subjects/team/left-behind'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { give } from '../../access/grants/scene'

/** An action as the spine logs it. */
async function log(
  actor: Actor,
  action: string,
  object: { kind: 'server' | 'connection'; id: string },
  detail: object,
  outcome: 'done' | 'failed' = 'done',
) {
  const requestId = `${action}-${await db().auditRow.count()}-of-the-test`
  const event = { requestId, teamId: actor.team.id, actor: { kind: 'user', id: actor.user.id, sessionId: null }, action, object } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked', detail: { ...detail } })
  await recordAudit({ ...event, stage: 'outcome', outcome })
}

test('after a removal the connections, SSH keys, cron jobs and system users of that person are listed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  for (const name of ['alpha', 'beta']) upstream.addServer({ name })
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  const connectionId = await team.connect(upstream)
  await team.connect(upstream, { ownerId: operator.user.id, label: 'Own' })
  const { servers } = await listServers(owner)
  const idOf = (name: string) => servers.find((server) => server.name === name)?.id ?? ''
  const alpha = { kind: 'server', id: idOf('alpha') } as const
  await log(operator, 'servers.create', { kind: 'connection', id: connectionId }, { 'field.name': 'beta', 'field.user': 'root' })
  await log(operator, 'servers.resetKey', { kind: 'server', id: idOf('beta') }, {})
  for (let n = 0; n < 2; n += 1) await log(operator, 'cron.save', alpha, { about: '0 3 * * * /usr/bin/backup …' })
  await log(operator, 'cron.save', alpha, { about: '@daily failed …' }, 'failed')
  await log(operator, 'users.save', alpha, { 'field.user': 'deploy' })
  await log(owner, 'servers.resetKey', alpha, {})
  await removeMember(inputOf(owner, { memberId: operator.user.id }))
  const left = await findLeftBehind(owner, operator.user.id)
  expect(left).toMatchObject({ email: operator.user.email, member: false, connections: [{ label: 'Own', frozen: true }] })
  expect(left?.traces.map(({ kind, serverName, what }) => [kind, serverName, what])).toEqual([
    ['systemUser', 'alpha', 'deploy'],
    ['cronJob', 'alpha', '0 3 * * * /usr/bin/backup …'],
    ['sshKey', 'beta', ''],
  ])
})

test('a server that only their own connection lists is named without a link; what was deleted since is not listed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream, { ownerId: operator.user.id, label: 'Own' })
  const alpha = { kind: 'server', id: (await listServers(operator)).servers[0]?.id ?? '' } as const
  await log(operator, 'cron.save', alpha, { about: '0 3 * * * /usr/bin/kept' })
  await log(operator, 'cron.save', alpha, { about: '0 3 * * * /usr/bin/gone' })
  await log(operator, 'users.save', alpha, { 'field.user': 'deploy' })
  await log(owner, 'cron.delete', alpha, { about: '0 3 * * * /usr/bin/gone' })
  await log(operator, 'users.delete', alpha, { 'field.user': 'deploy' })
  await log(owner, 'cron.delete', alpha, { about: '0 3 * * * /usr/bin/kept' }, 'failed')
  expect((await findLeftBehind(owner, operator.user.id))?.traces).toMatchObject([
    { serverName: 'alpha', open: false, what: '0 3 * * * /usr/bin/kept' },
  ])
})

test('security 3: only those who may change the team read it, and only of people of their own team', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [admin, viewer] = [await team.join('admin'), await team.join('viewer')]
  const stranger = await (await createTeam()).join('owner')
  expect(await findLeftBehind(admin, viewer.user.id)).toMatchObject({ member: true, connections: [], traces: [] })
  expect(await findLeftBehind(viewer, admin.user.id)).toBeNull()
  expect(await findLeftBehind(stranger, viewer.user.id)).toBeNull()
  for (const id of ['x', 'x'.repeat(22), { not: null }, '__proto__']) expect(await findLeftBehind(admin, id)).toBeNull()
})

test('a removed member who left nothing behind has a page that says so; somebody who never was a member has none', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  const stranger = await (await createTeam()).join('viewer')
  await removeMember(inputOf(owner, { memberId: viewer.user.id }))
  expect(await findLeftBehind(owner, viewer.user.id)).toMatchObject({ member: false, connections: [], traces: [] })
  expect(await findLeftBehind(owner, stranger.user.id)).toBeNull()
})

test('security 3: an admin whose access is limited reads of no server out of their sight, whoever left something there', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  for (const name of ['alpha', 'hidden']) upstream.addServer({ name })
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  const connectionId = await team.connect(upstream)
  const { servers } = await listServers(owner)
  const idOf = (name: string) => servers.find((server) => server.name === name)?.id ?? ''
  for (const name of ['alpha', 'hidden'])
    await log(operator, 'users.save', { kind: 'server', id: idOf(name) }, { 'field.user': `deploy-${name}` })
  await log(operator, 'servers.create', { kind: 'connection', id: connectionId }, { 'field.name': 'hidden', 'field.user': 'root' })
  expect((await findLeftBehind(admin, operator.user.id))?.traces).toHaveLength(3)
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'server', id: idOf('alpha') })
  const left = await findLeftBehind(admin, operator.user.id)
  expect(left?.traces.map(({ serverName, what }) => [serverName, what])).toEqual([['alpha', 'deploy-alpha']])
  expect(JSON.stringify(left)).not.toContain('hidden')
  expect(JSON.stringify(left)).not.toContain(idOf('hidden'))
})
