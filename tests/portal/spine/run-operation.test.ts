import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '@/lib/portal/run-operation'
import { listServers } from '@/lib/portal/servers/list'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

const auditRows = async () =>
  (await db().auditRow.findMany({ orderBy: { seq: 'asc' } })).map(({ action, stage, outcome }) => `${action} ${stage} ${outcome}`)

const listedId = async (actor: Actor, name: string) => {
  const found = (await listServers(actor)).servers.find((server) => server.name === name)
  if (!found) throw new Error(`${name} is not listed`)
  return found.id
}

test('a change is recorded as intended, done once, and recorded as done', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
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

test('a read is decided but not recorded, except for logs', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const summary = await runOperation(actor, contract.servers.summary, { serverId })
  expect(summary).toMatchObject({ ok: true, data: { item: [{ name: 'alpha' }] } })
  expect(await auditRows()).toEqual([])
  const log = await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'auth' })
  expect(log.ok).toBe(true)
  const recorded = ['logs.fetch intent asked', 'logs.fetch outcome done']
  expect(await auditRows()).toEqual(recorded)
  // Whoever follows a log reads it again and again: that stands once; another log, or another person, stands apart.
  await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'auth' })
  expect(await auditRows()).toEqual(recorded)
  await runOperation(actor, contract.logs.fetch, { serverId }, { log: 'mail' })
  expect(await auditRows()).toEqual([...recorded, ...recorded])
  await runOperation(await team.join('viewer'), contract.logs.fetch, { serverId }, { log: 'auth' })
  expect(await auditRows()).toEqual([...recorded, ...recorded, ...recorded])
})

const roleMatrix = [
  { role: 'owner', read: true, change: true, destroy: true },
  { role: 'admin', read: true, change: true, destroy: true },
  { role: 'operator', read: true, change: true, destroy: true },
  { role: 'viewer', read: true, change: false, destroy: false },
] as const

test.each(roleMatrix)('security 23: a role may do what the table says and nothing else: $role', async ({ role, ...may }) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join(role)
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  const outcomes = {
    read: await runOperation(actor, contract.servers.summary, { serverId }),
    change: await runOperation(actor, contract.servers.update, { serverId }, { name: 'alpha', dns: '' }),
    destroy: await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'alpha', stepUp: signedInLately }),
  }
  for (const effect of ['read', 'change', 'destroy'] as const) {
    const outcome = outcomes[effect]
    if (may[effect]) expect(outcome.ok).toBe(true)
    else expect(outcome).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  }
  expect(upstream.calls.length - before).toBe(Object.values(may).filter(Boolean).length)
})

test('security 3: an id of another team, of another person or of nobody gets the same not_found, one denied row and no call', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const [theirs, ours] = [await createTeam('Theirs'), await createTeam('Ours')]
  const [owner, stranger, mate] = [await theirs.join('owner'), await ours.join('owner'), await theirs.join('owner')]
  await theirs.connect(upstream, { ownerId: owner.user.id })
  const serverId = await listedId(owner, 'alpha')
  const before = upstream.calls.length
  const absent = 'AAAAAAAAAAAAAAAAAAAAAA'
  const answers = []
  for (const [actor, id] of [
    [stranger, serverId],
    [stranger, absent],
    [mate, serverId],
  ] as const) {
    for (const operation of [contract.servers.summary, contract.servers.delete]) {
      answers.push(await runOperation(actor, operation, { serverId: id }, {}, { confirmName: 'alpha', stepUp: signedInLately }))
    }
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(upstream.calls.length).toBe(before)
  const denied = await db().auditRow.findMany({ where: { outcome: 'denied' } })
  expect(denied.map(({ actorId, objectId }) => [actorId, objectId])).toEqual([
    [stranger.user.id, serverId],
    [stranger.user.id, absent],
    [mate.user.id, serverId],
  ])
})

test('security 23: forged targets and fields reach neither the upstream nor a row', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  const forged: unknown[] = [{ not: null }, ['a'], 'x'.repeat(1_000_000), '../1', '%2e%2e', '', null, 7, `${serverId}\n`]
  for (const id of forged) {
    const outcome = await runOperation(actor, contract.servers.summary, { serverId: id as string })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  }
  for (const value of [{ not: null }, ['a', 'b'], 'x'.repeat(1_000_000), 'a\0b', undefined]) {
    const outcome = await runOperation(
      actor,
      contract.servers.setHostname,
      { serverId },
      { hostname: value, role: 'owner', __proto__: { hostname: 'x' } },
    )
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  }
  expect(upstream.calls.length).toBe(before)
})

test('what destroys is refused until the name was typed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  for (const confirmName of [undefined, '', 'Alpha', 'alphaa']) {
    const options = confirmName === undefined ? {} : { confirmName }
    const outcome = await runOperation(actor, contract.servers.delete, { serverId }, {}, options)
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { confirmName: expect.any(String) } } })
  }
  expect(upstream.model.servers.size).toBe(1)
})

test('what needs a fresh sign-in is not done without one, by whatever way it is asked for', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  const asked = problem('invalid', { fields: { password: 'Enter your password.' } })
  const login = { user: 'root', pass: 'secret' }
  for (const [operation, fields] of [
    [contract.servers.delete, {}],
    [contract.servers.resetKey, login],
  ] as const) {
    const confirmName = 'alpha'
    expect(await runOperation(actor, operation, { serverId }, fields, { confirmName })).toMatchObject({ problem: { code: 'forbidden' } })
    const outcome = await runOperation(actor, operation, { serverId }, fields, { confirmName, stepUp: async () => asked })
    expect(outcome).toEqual({ ok: false, problem: asked })
  }
  expect(upstream.calls.length).toBe(before)
})

test('security 16: rights that went away after the decision stop the call, and that is recorded', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  await db().membership.updateMany({ where: { userId: actor.user.id }, data: { role: 'viewer' } })
  const lowered = await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  expect(lowered).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await db().session.updateMany({ where: { id: actor.sessionId }, data: { revokedAt: new Date() } })
  const revoked = await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  expect(revoked).toMatchObject({ ok: false, problem: { code: 'signed_out' } })
  expect(upstream.calls.length).toBe(before)
  expect((await auditRows()).filter((row) => row.endsWith('denied'))).toHaveLength(1)
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('security 51: without a record nothing is changed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  await db().$executeRawUnsafe("CREATE TRIGGER full BEFORE INSERT ON AuditRow BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
  const outcome = await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: 'x' })
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'internal' } })
  expect(upstream.calls.length).toBe(before)
})

test('security 5: a row that was tampered with opens no key: one tamper row, no call, other connections work on', async () => {
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

test('own keys act before lent ones, and of those the one proven most recently; the record names it', async () => {
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

test('security 37: a refused key is marked and not used again, while others work on', async () => {
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

test('security 39: a removal whose answer never came was sent once, is unknown, and is settled by a read', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
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

test('security 40: of two operations on one path the fields of the one never make the other', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
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
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  const before = upstream.calls.length
  for (const upstreamId of ['../sites', '%2e%2e', 'a?b', 'a#b', 'a\r\nb', '', 'ä', '1/delete', '..']) {
    await db().server.update({ where: { id: serverId }, data: { upstreamId } })
    const outcome = await runOperation(actor, contract.servers.summary, { serverId })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  }
  expect(upstream.calls.length).toBe(before)
})

test('security 1: no key and no password stands in any answer, audit row or other row', async () => {
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

test('a new server gets its own id at once, and asking for a host key never makes one', async () => {
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
