import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { auditRows, listedId, openDesk } from './desk'

test('a change is logged as intended, runs once, and is logged as done', async () => {
  await using desk = await openDesk('operator', { extensions: true })
  const { upstream, upstreamId, serverId, team, actor } = desk
  const outcome = await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'web.example.net' })
  expect(outcome.ok).toBe(true)
  expect(upstream.callsTo('POST', `/servers/${upstreamId}/hostname`)).toHaveLength(1)
  expect(await auditRows()).toEqual(['servers.setHostname intent asked', 'servers.setHostname outcome done'])
  const [intent, done] = await db().auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(intent?.requestId).toBe(done?.requestId)
  expect(intent).toMatchObject({
    actorId: actor.user.id,
    sessionId: actor.sessionId,
    objectKind: 'server',
    objectId: serverId,
    teamId: team.id,
  })
  expect(JSON.parse(intent?.detail ?? '')).toEqual({ name: 'alpha', 'field.hostname': 'web.example.net' })
})

test('a read is checked but not logged, except for server logs', async () => {
  await using desk = await openDesk('viewer')
  const { serverId, team, actor } = desk
  const summary = await runOperation(actor, contract.servers.summary, { serverId })
  expect(summary).toMatchObject({ ok: true, data: { item: [{ name: 'alpha' }] } })
  expect(await auditRows()).toEqual([])
  const log = await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'auth' })
  expect(log.ok).toBe(true)
  const recorded = ['logs.fetch intent asked', 'logs.fetch outcome done']
  expect(await auditRows()).toEqual(recorded)
  // Whoever follows a log reads it again and again: that stands once; another log, or another person, stands apart.
  await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'auth' })
  // Parameters that are not sent do not make it another read.
  await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'auth', other: 'x' })
  expect(await auditRows()).toEqual(recorded)
  await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'mail' })
  expect(await auditRows()).toEqual([...recorded, ...recorded])
  await runOperation(await team.join('viewer'), contract.logs.fetch, { serverId }, { log: 'auth' })
  expect(await auditRows()).toEqual([...recorded, ...recorded, ...recorded])
})

test('security 51: without an audit log entry nothing is changed', async () => {
  await using desk = await openDesk('owner')
  const { upstream, serverId, actor } = desk
  const before = upstream.calls.length
  await db().$executeRawUnsafe("CREATE TRIGGER full BEFORE INSERT ON AuditRow BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
  const outcome = await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'internal' } })
  expect(upstream.calls.length).toBe(before)
})

test('security 5: a tampered row yields no key: one tamper entry, no call, other connections keep working', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  await using other = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  other.addServer({ name: 'beta' })
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect(upstream)
  await team.connect(other)
  const [alpha, beta] = [await listedId(actor, 'alpha'), await listedId(actor, 'beta')]
  await db().connection.update({ where: { id: connectionId }, data: { origin: other.origin } })
  const [before, beforeOther] = [upstream.calls.length, other.calls.length]
  const first = await runOperation(actor, contract.servers.summary, { serverId: alpha })
  const second = await runOperation(actor, contract.servers.summary, { serverId: alpha })
  expect([first, second]).toMatchObject([{ problem: { code: 'key_locked' } }, { problem: { code: 'key_locked' } }])
  expect([upstream.calls.length, other.calls.length]).toEqual([before, beforeOther])
  expect(await auditRows()).toEqual(['connection.open event tamper'])
  expect((await runOperation(actor, contract.servers.summary, { serverId: beta })).ok).toBe(true)
})

test('own connections are used before shared ones, then the most recently verified; the audit log names it', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('operator'), await team.join('operator')]
  const lent = await team.connect(upstream, { label: 'Lent' })
  const later = await team.connect(upstream, { label: 'Lent later' })
  const own = await team.connect(upstream, { label: 'Own', ownerId: ann.user.id })
  const serverId = await listedId(ann, 'alpha')
  await db().serverOnConnection.updateMany({ where: { connectionId: later }, data: { provenAt: new Date(Date.now() + 1000) } })
  await runOperation(ann, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  await runOperation(bob, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  const intents = await db().auditRow.findMany({ where: { stage: 'intent' }, orderBy: { seq: 'asc' } })
  expect(intents.map(({ connectionId }) => connectionId)).toEqual([own, later])
  expect(lent).not.toBe(later)
})

test('security 37: a refused key is marked and not used again, while others keep working', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  upstream.set('forbidden')
  const outcome = await runOperation(actor, contract.servers.summary, { serverId })
  expect(outcome).toMatchObject({ problem: { code: 'key_rejected' } })
  expect(await db().connection.findUnique({ where: { id: connectionId } })).toMatchObject({ state: 'rejected' })
  const before = upstream.calls.length
  await runOperation(actor, contract.servers.summary, { serverId })
  expect(upstream.calls.length).toBe(before)
})

test('security 39: a deletion whose answer never came was sent once, is unknown, and is settled by a read', async () => {
  await using desk = await openDesk('operator')
  const { upstream, upstreamId, serverId, actor } = desk
  upstream.set('reset-after', { path: `/servers/${upstreamId}/delete` })
  const outcome = await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'alpha', stepUp: signedInLately })
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(upstream.callsTo('GET', `/servers/${upstreamId}/delete`)).toHaveLength(1)
  expect(await auditRows()).toEqual(['servers.delete intent asked', 'servers.delete outcome unknown'])
  forgetProcess()
  expect((await listServers(actor)).servers).toEqual([])
  expect((await auditRows()).at(-1)).toBe('servers.delete outcome done')
  forgetProcess()
  await listServers(actor)
  expect(await auditRows()).toHaveLength(3)
  expect(upstream.callsTo('GET', `/servers/${upstreamId}/delete`)).toHaveLength(1)
})

test('security 40: of two operations on one path, the fields of one never select the other', async () => {
  await using desk = await openDesk('operator', { extensions: true })
  const { upstream, serverId, actor } = desk
  const everything = { hostname: 'x', user: 'root', pass: 'secret-password', status: '1', host_key: 'SHA256:x' }
  const before = upstream.calls.length
  await runOperation(actor, contract.servers.setHostname, { serverId }, everything)
  await runOperation(actor, contract.servers.resetKey, { serverId }, everything, { confirmName: 'alpha', stepUp: signedInLately })
  await runOperation(actor, contract.firewall.toggle, { serverId }, everything)
  await runOperation(actor, contract.users.save, { serverId }, everything)
  expect(upstream.calls.slice(before).map(({ fields }) => Object.keys(fields).sort())).toEqual([
    ['hostname'],
    ['host_key', 'pass', 'user'],
    ['status'],
    ['pass', 'user'],
  ])
})

test('security 41: an upstream id that would lead elsewhere is never put into a path', async () => {
  await using desk = await openDesk('operator')
  const { upstream, serverId, actor } = desk
  const before = upstream.calls.length
  for (const upstreamId of ['../sites', '%2e%2e', 'a?b', 'a#b', 'a\r\nb', '', 'ä', '1/delete', '..']) {
    await db().server.update({ where: { id: serverId }, data: { upstreamId } })
    const outcome = await runOperation(actor, contract.servers.summary, { serverId })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  }
  expect(upstream.calls.length).toBe(before)
})

test('security 1: no key and no password is in any answer, audit log entry or other row', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, key: 'canary-key-5f1d2c7b9a' })
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const answers: unknown[] = [await listServers(actor)]
  const secret = { user: 'root', pass: 'canary-pass-77', host_key: 'SHA256:x' }
  answers.push(await runOperation(actor, contract.servers.resetKey, { serverId }, secret, { confirmName: 'alpha', stepUp: signedInLately }))
  upstream.set('echo-key')
  answers.push(await runOperation(actor, contract.servers.summary, { serverId }))
  answers.push(await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'x' }))
  const tables = await portal.db.$queryRawUnsafe<{ name: string }[]>("SELECT name FROM sqlite_master WHERE type = 'table'")
  for (const { name } of tables) answers.push(await portal.db.$queryRawUnsafe(`SELECT * FROM "${name}"`))
  const text = JSON.stringify(answers, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : typeof value === 'bigint' ? String(value) : value,
  )
  for (const canary of ['canary-key-5f1d2c7b9a', 'canary-pass-77']) {
    for (const form of [canary, Buffer.from(canary).toString('base64').slice(0, 20), Buffer.from(canary).toString('hex')]) {
      expect(text).not.toContain(form)
    }
  }
})

test('a new server gets its own id immediately, and asking for a host key never creates one', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  await using plain = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  const fields = { provider: 'ssh', dns: '', name: 'new', host: '192.0.2.1', user: 'root', pass: 'p', port: '22', region: '', type: '' }
  await listServers(actor)
  const asked = await runOperation(actor, contract.servers.create, {}, { ...fields, host_key: 'ask' })
  expect(asked).toMatchObject({ ok: false, problem: { code: 'host_key_unconfirmed', hostKey: expect.stringContaining('SHA256:') } })
  expect(upstream.model.servers.size).toBe(0)
  // A question that was answered is no failure.
  expect(await db().auditRow.findFirst({ where: { stage: 'outcome' }, orderBy: { seq: 'desc' } })).toMatchObject({ outcome: 'asked' })
  const plainId = await team.connect(plain)
  const vague = await runOperation(actor, contract.servers.create, {}, fields)
  expect(vague).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { connectionId: expect.any(String) } } })
  const unable = await runOperation(actor, contract.servers.create, { connectionId: plainId }, { ...fields, host_key: 'ask' })
  expect(unable).toMatchObject({ ok: false, problem: { code: 'not_built' } })
  expect(plain.model.servers.size).toBe(0)
  const created = await runOperation(actor, contract.servers.create, { connectionId }, { ...fields, host_key: 'SHA256:x' })
  expect(created.ok).toBe(true)
  expect(await db().server.findFirst({ where: { name: 'new' } })).toMatchObject({ state: 'new', provider: 'ssh' })
})
