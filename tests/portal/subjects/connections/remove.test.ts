import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { ensureBundledConnection } from '@/lib/portal/subjects/connections/bundled'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { renameConnection } from '@/lib/portal/subjects/connections/rename'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const remove = (actor: Actor, connectionId: string, confirmName: string) => removeConnection(inputOf(actor, { connectionId, confirmName }))

const codeOf = (outcome: { ok: true } | { ok: false; problem: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem.code)

test('removing a connection deletes its key, and servers that nothing else lists leave the list', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream()
  one.addServer({ name: 'alpha' })
  two.addServer({ name: 'beta' })
  const team = await createTeam()
  const actor = await team.join('admin')
  const first = await team.connect(one, { label: 'One' })
  const again = await team.connect(one, { label: 'One again' })
  await team.connect(two, { label: 'Two' })
  const names = async () => (await listServers(actor)).servers.map(({ name }) => name)
  expect(await names()).toEqual(['alpha', 'beta'])
  const calls = one.calls.length
  expect(await remove(actor, first, 'One')).toEqual({ ok: true, data: { label: 'One' } })
  expect(await names()).toEqual(['alpha', 'beta'])
  expect(await remove(actor, again, 'One again')).toMatchObject({ ok: true })
  expect(await names()).toEqual(['beta'])
  expect(one.calls).toHaveLength(calls)
  expect(await db().connection.count()).toBe(1)
  const rows = await db().auditRow.findMany({ where: { action: 'connection.remove' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome, detail }) => [stage, outcome, detail])).toEqual([
    ['intent', 'asked', '{"label":"One"}'],
    ['outcome', 'done', '{"label":"One"}'],
    ['intent', 'asked', '{"label":"One again"}'],
    ['outcome', 'done', '{"label":"One again"}'],
  ])
})

test('a server that returns with its connection is the same one', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  const id = await team.connect(upstream, { label: 'One' })
  const [before] = (await listServers(actor)).servers
  await remove(actor, id, 'One')
  await team.connect(upstream, { label: 'One' })
  expect((await listServers(actor)).servers).toMatchObject([{ id: before?.id }])
})

test('security 21: without the typed name or a fresh sign-in nothing is removed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect(upstream, { label: 'One' })
  expect(await remove(actor, connectionId, 'one')).toMatchObject({ ok: false, problem: { fields: { confirmName: expect.any(String) } } })
  const stale = inputOf(
    actor,
    { connectionId, confirmName: 'One' },
    { stepUp: async () => problem('invalid', { fields: { password: 'x' } }) },
  )
  expect(codeOf(await removeConnection(stale))).toBe('invalid')
  expect(await db().connection.count()).toBe(1)
})

test('a connection used by a running job stays until the job is over', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect(upstream, { label: 'One' })
  const job = { id: 'job-of-the-test', teamId: team.id, operation: 'servers.install', connectionId, targetName: 'alpha', lease: 'x' }
  await db().job.create({ data: { ...job, state: 'running', heardAt: new Date() } })
  expect(await remove(actor, connectionId, 'One')).toMatchObject({
    ok: false,
    problem: { code: 'busy', sentence: expect.stringContaining('alpha') },
  })
  await db().job.update({ where: { id: job.id }, data: { state: 'done', endedAt: new Date() } })
  expect(codeOf(await remove(actor, connectionId, 'One'))).toBe('ok')
})

test('the bundled connection stays while its service runs, and can be removed when another one replaces it', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('owner')
  await ensureBundledConnection(team.id, async () => 'the-key-of-the-bundled-service')
  const [bundled] = await listConnections(actor)
  expect(bundled).toMatchObject({
    bundled: true,
    address: '',
    changeRefusal: null,
    removeRefusal: expect.stringContaining('cannot be removed'),
  })
  const id = bundled?.id ?? ''
  expect(await remove(actor, id, 'Bundled service')).toMatchObject({
    ok: false,
    problem: { sentence: expect.stringContaining('restart Gatehouse') },
  })
  portal.settings.upstreamUrl = new URL('https://panel.example.org')
  expect(codeOf(await remove(actor, id, 'Bundled service'))).toBe('ok')
  portal.settings.upstreamUrl = null
  await ensureBundledConnection(team.id, async () => 'the-key-of-the-bundled-service')
  expect(await listConnections(actor)).toMatchObject([{ bundled: true, label: 'Bundled service' }])
})

test('a label can be changed by users who manage the connection, and must be unique in the team', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  const shared = await team.connect(upstream, { label: 'Shared' })
  const own = await team.connect(upstream, { label: 'Own', ownerId: operator.user.id })
  const rename = (actor: Actor, connectionId: string, label: string) => renameConnection(inputOf(actor, { connectionId, label }))
  expect(codeOf(await rename(operator, shared, 'Mine'))).toBe('forbidden')
  expect(codeOf(await rename(owner, own, 'Mine'))).toBe('not_found')
  expect(await rename(operator, own, 'SHARED')).toMatchObject({ ok: false, problem: { fields: { label: expect.any(String) } } })
  expect(await rename(operator, own, '\u202egnp')).toMatchObject({ ok: false, problem: { fields: { label: expect.any(String) } } })
  expect(codeOf(await rename(operator, own, ' own '))).toBe('ok')
  expect(codeOf(await rename(owner, shared, 'Ours'))).toBe('ok')
  expect((await listConnections(operator)).map(({ label, keeper }) => [label, keeper])).toEqual([
    ['Ours', 'team'],
    ['own', 'own'],
  ])
})
