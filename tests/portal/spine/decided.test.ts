/** Who may do what, to what, and how sure the portal has to be of it before anything is sent. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { runOperation } from '@/lib/portal/subjects/spine'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { auditRows, listedId, openDesk } from './desk'

const roleMatrix = [
  { role: 'owner', read: true, change: true, destroy: true },
  { role: 'admin', read: true, change: true, destroy: true },
  { role: 'operator', read: true, change: true, destroy: true },
  { role: 'viewer', read: true, change: false, destroy: false },
] as const

test.each(roleMatrix)('security 23: a role may do what the table says and nothing else: $role', async ({ role, ...may }) => {
  await using desk = await openDesk(role)
  const { upstream, serverId, actor } = desk
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

test('security 3: an id of another team, of another user or an unknown one gets the same not_found and no call; only a read of an unknown id is not logged', async () => {
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
  expect(denied.map(({ actorId, objectId, teamId }) => [actorId, objectId, teamId])).toEqual([
    [stranger.user.id, serverId, null],
    [stranger.user.id, serverId, ours.id],
    [stranger.user.id, absent, ours.id],
    [mate.user.id, serverId, theirs.id],
  ])
})

test('security 23: forged targets and fields reach neither the upstream nor a row', async () => {
  await using desk = await openDesk('owner')
  const { upstream, serverId, actor } = desk
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

test('destructive operations are refused until the name was typed', async () => {
  await using desk = await openDesk('owner')
  const { upstream, serverId, actor } = desk
  for (const confirmName of [undefined, '', 'Alpha', 'alphaa']) {
    const options = confirmName === undefined ? {} : { confirmName }
    const outcome = await runOperation(actor, contract.servers.delete, { serverId }, {}, options)
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { confirmName: expect.any(String) } } })
  }
  expect(upstream.model.servers.size).toBe(1)
})

test('an operation that needs a fresh sign-in is refused without one, however it is requested', async () => {
  await using desk = await openDesk('owner')
  const { upstream, serverId, actor } = desk
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

test('security 16: permissions revoked after the decision stop the call, and that is logged', async () => {
  await using desk = await openDesk('operator')
  const { upstream, serverId, actor } = desk
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
