import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { replaceKey } from '@/lib/portal/subjects/connections/replace-key'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** A service whose key changes: the same port, one key before and another after. */
async function prepare() {
  const first = await startUpstream({ key: 'the-first-key-of-all' })
  first.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect(first, { label: 'Service' })
  await listServers(actor)
  const { port } = first
  await first[Symbol.asyncDispose]()
  forgetProcess()
  const upstream = await startUpstream({ key: 'the-second-key-of-all', port })
  return { team, actor, connectionId, upstream, [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose]() }
}

const replace = (actor: Actor, connectionId: string, fields: Record<string, string> = {}) =>
  replaceKey(inputOf(actor, { connectionId, apiKey: 'the-second-key-of-all', confirmName: 'Service', ...fields }))

const rowOf = (id: string) => db().connection.findUniqueOrThrow({ where: { id } })

test('a new working key replaces a rejected one, and the list returns', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  const { actor, connectionId, upstream } = kept
  upstream.addServer({ name: 'alpha' })
  expect((await listServers(actor)).connections).toMatchObject([{ state: 'rejected' }])
  const before = await rowOf(connectionId)
  expect(await replace(actor, connectionId)).toEqual({ ok: true, data: { label: 'Service', servers: 1 } })
  const after = await rowOf(connectionId)
  expect(after).toMatchObject({ state: 'working', secretVersion: before.secretVersion + 1, rev: before.rev + 1 })
  expect(after.fingerprint).not.toBe(before.fingerprint)
  expect((await listServers(actor)).connections).toMatchObject([{ state: 'working', problem: null }])
  const rows = await db().auditRow.findMany({ where: { action: 'connection.replaceKey' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => [stage, outcome])).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
  ])
})

test('a new key that does not work leaves the row unchanged, and the message says that the old key is still in use', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  const before = await rowOf(kept.connectionId)
  const refused = await replace(kept.actor, kept.connectionId, { apiKey: 'a-key-nobody-knows' })
  expect(refused).toMatchObject({
    ok: false,
    problem: { code: 'key_rejected', fields: { apiKey: expect.stringContaining('old key is still in use') } },
  })
  expect(await rowOf(kept.connectionId)).toEqual(before)
})

test('a key that lists fewer servers has to be confirmed first, and then replaces the old one', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  const { actor, connectionId } = kept
  const before = await rowOf(connectionId)
  const asked = await replace(actor, connectionId)
  expect(asked).toMatchObject({
    ok: false,
    problem: { code: 'invalid', fields: { loseServers: expect.stringContaining('of the old one: alpha') } },
  })
  expect(await rowOf(connectionId)).toEqual(before)
  expect(await replace(actor, connectionId, { loseServers: 'on' })).toMatchObject({ ok: true, data: { servers: 0 } })
  expect((await listServers(actor)).servers).toEqual([])
})

test('the service is not called without the typed name, a fresh sign-in, and a different key', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  const { actor, connectionId, upstream } = kept
  const fieldsOf = (outcome: Awaited<ReturnType<typeof replaceKey>>) => (outcome.ok ? null : Object.keys(outcome.problem.fields ?? {}))
  expect(fieldsOf(await replace(actor, connectionId, { confirmName: 'service', apiKey: 'short' }))).toEqual(['apiKey', 'confirmName'])
  await db().connection.update({ where: { id: connectionId }, data: { state: 'working' } })
  expect(fieldsOf(await replace(actor, connectionId, { apiKey: 'the-first-key-of-all' }))).toEqual(['apiKey'])
  const stale = inputOf(
    actor,
    { connectionId, apiKey: upstream.key, confirmName: 'Service' },
    { stepUp: async () => problem('invalid', { fields: { password: 'x' } }) },
  )
  expect(fieldsOf(await replaceKey(stale))).toEqual(['password'])
  expect(upstream.calls).toEqual([])
  expect(await db().auditRow.count({ where: { action: 'connection.replaceKey' } })).toBe(0)
})

test('of two users who replace a key at once, one learns that it changed meanwhile', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  kept.upstream.addServer({ name: 'alpha' })
  const both = await Promise.all([replace(kept.actor, kept.connectionId), replace(kept.actor, kept.connectionId)])
  expect(both.map((each) => (each.ok ? 'ok' : each.problem.code)).sort()).toEqual(['changed_meanwhile', 'ok'])
})

test('another user’s connection, another team’s and an unknown one are all not found; an operator cannot replace the team’s key', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await prepare()
  const { team, actor, connectionId, upstream } = kept
  const own = await team.connect(upstream, { ownerId: actor.user.id, label: 'Own' })
  const operator = await team.join('operator')
  const stranger = await (await createTeam()).join('owner')
  const codeOf = async (who: Actor, id: string) => {
    const outcome = await replace(who, id)
    return outcome.ok ? 'ok' : outcome.problem.code
  }
  expect(await codeOf(operator, own)).toBe('not_found')
  expect(await codeOf(stranger, connectionId)).toBe('not_found')
  expect(await codeOf(stranger, 'Absent-000000000000000')).toBe('not_found')
  expect(await codeOf(operator, connectionId)).toBe('forbidden')
  expect(upstream.calls).toEqual([])
})
