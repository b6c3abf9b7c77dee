/** Rules of a foreign service that are deleted and come back: in the service's own words, whatever those are. */
import { expect, test } from 'vitest'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startJob } from '@/lib/portal/jobs/start'
import { removeRules } from '@/lib/portal/subjects/firewall/remove'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { type Bench, openBench } from './changes'

type Listed = { id: string; action: string; from: string; port: string; protocol: string; v6: string }

const listed = (rule: Partial<Listed>): Listed => ({
  id: '7',
  action: 'ALLOW IN',
  from: 'Anywhere',
  port: '8080',
  protocol: 'tcp',
  v6: '',
  ...rule,
})

const others: readonly Listed[] = [listed({ id: '1', port: '22' }), listed({ id: '2', port: '22 (v6)', from: 'Anywhere (v6)', v6: '1' })]

/** Deletes these of the bench's rules, then takes that back. Gives the words that were sent to save them. */
async function deleteAndUndo({ actor, server, serverId, upstream, upstreamId }: Bench, rules: readonly [Listed, Listed?]) {
  server.rules = [...rules, ...others].map((rule) => ({ ...rule }))
  const change = { serverId, requestId: createOpaqueId() }
  const removed = await removeRules(actor, change, rules)
  expect(removed).toEqual({ ok: true, data: { undo: expect.any(String) } })
  expect(server.rules.map(({ port }) => port)).toEqual(others.map(({ port }) => port))
  const undone = await undoChange(actor, change.requestId, createOpaqueId(), startJob)
  const saved = upstream.callsTo('POST', `/servers/${upstreamId}/savefirewallrule`).map(({ fields }) => fields)
  return { undone, saved }
}

const wordsOf = ({ action, from, port, protocol }: Listed) => ({ action, from, port, protocol })

const spellings: readonly Listed[] = [
  listed({ action: 'ALLOW IN' }),
  listed({ action: 'LIMIT', protocol: 'TCP' }),
  listed({ action: 'reject', from: '10.0.0.7/8' }),
  listed({ action: 'DROP', protocol: '', from: 'any' }),
  listed({ action: 'ALLOW OUT', from: 'Anywhere on eth0' }),
  listed({ from: 'Anywhere (v6)', port: '8080 (v6)', v6: 'v6' }),
]

test.each(spellings)('a rule "$action" from "$from" is restored in exactly these words', async (rule) => {
  await using bench = await openBench()
  const { undone, saved } = await deleteAndUndo(bench, [rule])
  expect(undone).toMatchObject({ ok: true })
  expect(saved).toEqual([wordsOf(rule)])
})

const pairs: readonly [how: string, halves: readonly [Listed, Listed]][] = [
  ['by its member v6', [listed({}), listed({ id: '8', from: 'Anywhere (v6)', port: '8080 (v6)', v6: '1' })]],
  ['by its words alone', [listed({}), listed({ id: '8', from: 'Anywhere (v6)', port: '8080 (v6)' })]],
]

test.each(pairs)('a rule listed twice, for IPv6 marked %s, is restored for both', async (_how, halves) => {
  await using bench = await openBench()
  const { undone, saved } = await deleteAndUndo(bench, halves)
  expect(undone).toMatchObject({ ok: true })
  expect(saved).toEqual(halves.map(wordsOf))
})

test('if saving one half restores both, nothing is saved a second time', async () => {
  await using bench = await openBench({ families: true })
  const { undone, saved } = await deleteAndUndo(bench, [listed({}), listed({ id: '8', v6: '1' })])
  expect(undone).toMatchObject({ ok: true, data: { message: expect.stringMatching(/^The rule was restored/) } })
  expect(saved).toEqual([wordsOf(listed({}))])
  expect(bench.server.rules.filter(({ port }) => port === '8080').map(({ v6 }) => v6)).toEqual(['', '1'])
})

test('if the same words restore one half only, that is reported and no second rule is created', async () => {
  await using bench = await openBench()
  const { undone, saved } = await deleteAndUndo(bench, [listed({}), listed({ id: '8', v6: '1' })])
  expect(saved).toEqual([wordsOf(listed({}))])
  expect(undone).toMatchObject({ ok: true, data: { message: expect.stringMatching(/lists it differently than before/) } })
})

test('an IPv6 rule whose words do not show that is not sent, because they may mean IPv4 as well', async () => {
  await using bench = await openBench()
  const { undone, saved } = await deleteAndUndo(bench, [listed({ v6: '1' })])
  expect(undone).toMatchObject({
    ok: false,
    problem: { code: 'changed_meanwhile', sentence: expect.stringContaining('applied to IPv6 only') },
  })
  expect(saved).toEqual([])
})

test.each([{ from: '2001:db8::/32' }, { port: '8080 (v6)' }])('an IPv6 rule whose words show that is restored: %o', async (words) => {
  await using bench = await openBench()
  const rule = listed({ v6: '1', ...words })
  const { saved } = await deleteAndUndo(bench, [rule])
  expect(saved).toEqual([wordsOf(rule)])
})
