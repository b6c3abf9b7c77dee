import { expect, test } from 'vitest'
import { users } from '@/lib/contract/operations/users'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { removeUser } from '@/tests/support/remove-user'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

async function openUsers(upstream: Upstream, role: Role = 'operator') {
  const upstreamId = upstream.addServer({ name: 'alpha', users: [{ name: 'anna' }, { name: 'ben' }] })
  const team = await createTeam()
  await team.connect(upstream)
  const operator = await team.join('operator')
  const [row] = (await listServers(operator)).servers
  const actor = role === 'operator' ? operator : await team.join(role)
  const path = `/servers/${upstreamId}/deletesystemuser`
  return {
    actor,
    serverId: row?.id ?? '',
    deletions: () => upstream.callsTo('POST', path),
    path,
    names: () => upstream.model.servers.get(upstreamId)?.users.map(({ name }) => name),
  }
}

test('security 60: a system user is deleted only if their name was typed, and once; the audit log names them', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, deletions, names } = await openUsers(upstream)
  for (const typed of ['', 'ben', 'alpha', 'Anna']) {
    const refused = await removeUser(actor, serverId, { user: 'anna', typed })
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { confirmName: expect.stringContaining('anna') } } })
  }
  expect(await removeUser(actor, serverId, { user: '', typed: '' })).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(deletions()).toEqual([])
  expect(await removeUser(actor, serverId, { user: 'anna', typed: ' anna ' })).toEqual({ ok: true, data: {} })
  expect(names()).toEqual(['ben'])
  expect(deletions()).toHaveLength(1)
  const rows = await db().auditRow.findMany({ where: { action: 'users.delete' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => [stage, outcome])).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
  ])
  expect(rows[0]?.detail).toContain('"field.user":"anna"')
})

test('without permission, or with an unknown server, nobody is deleted', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, deletions } = await openUsers(upstream, 'viewer')
  const own = { user: 'anna', typed: 'anna' }
  expect(await removeUser(actor, serverId, own)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const { actor: operator } = await openUsers(upstream)
  expect(await removeUser(operator, 'A'.repeat(22), own)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(deletions()).toEqual([])
})

test('security 1: the password of a system user is neither in the audit log nor in an answer', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId } = await openUsers(upstream)
  const pass = 'canary-Zq8-never-to-be-seen'
  expect(await runOperation(actor, users.save, { serverId }, { user: 'carla', pass })).toMatchObject({ ok: true })
  upstream.set('success-false', { times: 1 })
  const failed = await runOperation(actor, users.save, { serverId }, { user: 'carla', pass })
  expect(JSON.stringify(failed)).not.toContain('canary')
  const rows = await db().auditRow.findMany()
  expect(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain('canary')
})
