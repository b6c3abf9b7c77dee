import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Role } from '@/lib/portal/identity/actor'
import { removeRules } from '@/lib/portal/subjects/firewall/remove'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'
import type { Variant } from '@/tests/support/upstream/variants'

const rule = (id: string, port: string, v6 = '') => ({ id, port, protocol: 'tcp', v6, action: 'ALLOW', from: 'Anywhere' })

type Seen = ReturnType<typeof rule>

const at = (serverId: string) => ({ serverId, requestId: createOpaqueId() })

const undoable = { ok: true, data: { undo: expect.any(String) } }

/** A foreign service whose `id` is no more than a place, with these rules on its one server. */
async function openRules(upstream: Upstream, rules: readonly Seen[], role: Role = 'operator') {
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const server = upstream.model.servers.get(upstreamId)
  if (!server) throw new Error('The server was not added.')
  const place = (all: readonly Seen[]) => {
    server.rules = all.map((each, index) => ({ ...each, id: String(index + 1) }))
  }
  place(rules)
  const team = await createTeam()
  await team.connect(upstream)
  const operator = await team.join('operator')
  const [row] = (await listServers(operator)).servers
  const actor = role === 'operator' ? operator : await team.join(role)
  const deletions = () => upstream.callsTo('POST', `/servers/${upstreamId}/deletefirewallrule`)
  return { team, actor, serverId: row?.id ?? '', place, deletions, ports: () => server.rules.map(({ port, v6 }) => `${port}${v6}`) }
}

test('the rule that was seen is deleted wherever it is now, and never a neighbour', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { team, actor, serverId, place, ports, deletions } = await openRules(upstream, [rule('1', '22'), rule('2', '80'), rule('3', '443')])
  place([rule('1', '80'), rule('2', '443')])
  expect(await removeRules(actor, at(serverId), [rule('2', '80')])).toEqual(undoable)
  expect(ports()).toEqual(['443'])
  expect(await removeRules(actor, at(serverId), [rule('2', '80')])).toMatchObject({
    ok: false,
    problem: { code: 'changed_meanwhile', sentence: expect.stringMatching(/^You deleted this rule on .* UTC\.$/) },
  })
  const mate = await removeRules(await team.join('admin'), at(serverId), [rule('2', '80')])
  expect(mate).toMatchObject({ problem: { sentence: expect.stringMatching(/^The operator deleted this rule on .* UTC\.$/) } })
  expect(ports()).toEqual(['443'])
  expect(deletions()).toHaveLength(1)
})

test('both halves of a rule are deleted, each where it is after the other is gone; a remaining half is reported', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const halves = [rule('1', '80'), rule('3', '80', 'v6')] as const
  const all = [rule('1', '80'), rule('2', '443'), rule('3', '80', 'v6')]
  const { actor, serverId, place, ports } = await openRules(upstream, all)
  expect(await removeRules(actor, at(serverId), halves)).toEqual(undoable)
  expect(ports()).toEqual(['443'])
  place([rule('1', '80'), rule('2', '443')])
  const half = await removeRules(actor, at(serverId), halves)
  expect(half).toMatchObject({
    ok: false,
    problem: { code: 'changed_meanwhile', sentence: expect.stringMatching(/^The rule was deleted for IPv4/) },
  })
  expect(ports()).toEqual(['443'])
  const rows = await db().auditRow.findMany({ where: { action: 'firewall.deleteRule', stage: 'outcome' } })
  expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done'])
})

const handwritings: readonly Variant[] = [
  'bare-objects',
  'objects-by-number',
  'numbers',
  'nulls',
  'unknown-members',
  'byte-order-mark',
  'html-type',
]

test.each(handwritings)('a service that answers with %s is understood', async (variant) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, ports } = await openRules(upstream, [rule('1', '80', variant === 'nulls' ? '' : 'v6')])
  upstream.set(variant)
  expect(await removeRules(actor, at(serverId), [rule('1', '80', variant === 'nulls' ? '' : 'v6')])).toEqual(undoable)
  expect(ports()).toEqual([])
})

test('without permission no service is called', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, ports } = await openRules(upstream, [rule('1', '80')], 'viewer')
  const before = upstream.calls.length
  expect(await removeRules(actor, at(serverId), [rule('1', '80')])).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(ports()).toEqual(['80'])
  expect(upstream.calls.length).toBe(before)
})
