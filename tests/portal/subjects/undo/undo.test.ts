/** Undoing changes: while the state matches, by users who may, and once. */
import { expect, test } from 'vitest'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { removeJob, replaceJob } from '@/lib/portal/subjects/cron/remove'
import { saveJob } from '@/lib/portal/subjects/cron/save'
import { removeRules } from '@/lib/portal/subjects/firewall/remove'
import { saveRule } from '@/lib/portal/subjects/firewall/save'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { createTeam } from '@/tests/support/portal-team'
import { auditRows } from '../../spine/desk'
import { type Bench, job, openBench, rule } from './changes'

const undo = (actor: Actor, id: string) => undoChange(actor, id, createOpaqueId(), startJob)

const tooLate = (sentence: RegExp) => ({ ok: false, problem: { code: 'changed_meanwhile', sentence: expect.stringMatching(sentence) } })

const activity = async (actor: Actor) => (await readActivity(actor, readFilter({}), 'UTC')).entries

const held = ({ commands, ports, server }: Bench) => ({ commands: commands().sort(), ports: ports(), on: server.firewall })

const kinds = ['deleteJob', 'saveJob', 'editJob', 'deleteRule', 'saveRule', 'switch'] as const

test.each(kinds)('%s is undone, once; the audit log marks both, and no secret is left', async (kind) => {
  await using bench = await openBench()
  const { actor, team, change, posts } = bench
  const before = held(bench)
  const id = await change[kind]()
  expect(held(bench)).not.toEqual(before)
  expect((await activity(actor))[0]?.mark).toMatchObject({ undo: { id, description: expect.stringMatching(/\.$/) }, undone: null })

  const other = await team.join('admin')
  expect(await undo(other, id)).toMatchObject({ ok: true, data: { message: expect.stringMatching(/\.$/) } })
  expect(held(bench)).toEqual(before)
  expect(await db().undo.findUnique({ where: { id } })).toMatchObject({
    usedById: other.user.id,
    sealed: null,
    kekId: null,
    claimedAt: null,
  })
  const entries = await activity(actor)
  const said = await db().auditRow.findFirst({ where: { requestId: id, stage: 'intent' }, orderBy: { seq: 'desc' } })
  expect(entries[0]?.undoes?.at).toBe(said?.at.toISOString())
  expect(entries.filter(({ mark }) => mark !== null).map(({ mark }) => mark)).toEqual([
    { undo: null, undone: { by: 'The admin', at: expect.any(String) } },
  ])

  const sent = posts()
  expect(await undo(actor, id)).toMatchObject(tooLate(/^This was already undone by The admin\.$/))
  expect(posts()).toBe(sent)
  expect((await verifyAudit()).ok).toBe(true)
})

test('both steps of an edit are one change: offered at its last entry only, and undone together', async () => {
  await using bench = await openBench()
  const id = await bench.change.editJob()
  const entries = await activity(bench.actor)
  expect(entries.map(({ description, mark }) => [description, mark?.undo?.id ?? null])).toEqual([
    ['Deleted the cron job 30 4 * * * second', id],
    ['Saved the cron job 30 4 * * * changed', null],
  ])
  await undo(bench.actor, id)
  const steps = (await activity(bench.actor)).slice(0, 2)
  expect(steps.map(({ description, undoes }) => [description, undoes?.description])).toEqual([
    ['Deleted the cron job 30 4 * * * changed', 'Deleted the cron job 30 4 * * * second'],
    ['Saved the cron job 30 4 * * * second', 'Deleted the cron job 30 4 * * * second'],
  ])
})

test('of many simultaneous attempts one undoes it, and the service is called once', async () => {
  await using bench = await openBench()
  const { actor, team, change, posts, commands } = bench
  const id = await change.deleteJob()
  const sent = posts()
  const people = [actor, actor, await team.join('owner'), await team.join('operator'), actor]
  const outcomes = await Promise.all(people.map((person) => undo(person, id)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of outcomes) {
    if (!outcome.ok) expect(['busy', 'changed_meanwhile']).toContain(outcome.problem.code)
  }
  expect(posts()).toBe(sent + 1)
  expect(commands()).toEqual(['first', 'second'])
})

test('the claim of a process that died expires', async () => {
  await using bench = await openBench()
  const id = await bench.change.deleteJob()
  const claim = (minutes: number) => db().undo.update({ where: { id }, data: { claimedAt: new Date(Date.now() - minutes * 60_000) } })
  await claim(4)
  expect(await undo(bench.actor, id)).toMatchObject({ ok: false, problem: { code: 'busy' } })
  await claim(6)
  expect(await undo(bench.actor, id)).toMatchObject({ ok: true })
})

test('security 3: another team learns and changes nothing by using our undo ids; nor does a viewer', async () => {
  await using bench = await openBench()
  const { upstream, change, team } = bench
  const id = await change.deleteJob()
  const [viewer, stranger] = [await team.join('viewer'), await (await createTeam('Theirs')).join('owner')]
  const before = upstream.calls.length
  expect(await undo(stranger, id)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await undo(stranger, 'never-was-there')).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await undo(viewer, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await undo(viewer, '../../etc')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(upstream.calls.length).toBe(before)
  expect(bench.commands()).toEqual(['first'])
  expect((await activity(viewer)).some(({ mark }) => mark?.undo)).toBe(false)
  const denied = { result: 'denied', target: null, mark: null }
  expect(await activity(stranger)).toMatchObject([denied, denied])
  expect((await auditRows()).filter((row) => row.startsWith('activity.undo'))).toEqual(Array(4).fill('activity.undo event denied'))
})

test('what a user did through their own connection is not offered to users who cannot see that server', async () => {
  await using bench = await openBench()
  const { actor, team, upstream, change } = bench
  const id = await change.deleteJob()
  await db().connection.deleteMany({})
  await team.connect(upstream, { ownerId: actor.user.id })
  await listServers(actor)
  const other = await team.join('owner')
  expect((await activity(other)).some(({ mark }) => mark?.undo)).toBe(false)
  expect(await undo(other, id)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await undo(actor, id)).toMatchObject({ ok: true })
})

type Meanwhile = [what: string, kind: (typeof kinds)[number], meanwhile: (bench: Bench) => void, description: RegExp]

const meanwhile: readonly Meanwhile[] = [
  ['a job that is there again', 'deleteJob', ({ server }) => server.cronjobs.push(job(' second', '9')), /^The job exists again/],
  ['a job that went', 'saveJob', ({ server }) => server.cronjobs.pop(), /^The job has changed or was deleted since\. Check/],
  [
    'a job that was changed',
    'saveJob',
    ({ server }) => Object.assign(server.cronjobs[2] ?? {}, { minute: '31' }),
    /^The job has changed or was deleted/,
  ],
  ['a changed job that went', 'editJob', ({ server }) => server.cronjobs.pop(), /^The job has changed or was deleted since\. Check/],
  ['a rule that is there again', 'deleteRule', ({ server }) => server.rules.push({ ...rule('443'), id: '9' }), /^The rule exists again/],
  [
    'none of the other rules left',
    'deleteRule',
    ({ server }) => server.rules.splice(0, 9, { ...rule('80'), id: '9' }),
    /^None of the neighbouring rules/,
  ],
  ['a rule that went', 'saveRule', ({ server }) => server.rules.pop(), /^The rule has changed or was deleted since\. Check/],
  ['a switch that was set back', 'switch', ({ server }) => Object.assign(server, { firewall: true }), /^The firewall is on again, so/],
]

test.each(meanwhile)('%s: that is reported, nothing is done, and it may be tried again', async (_what, kind, change, description) => {
  await using bench = await openBench()
  const id = await bench.change[kind]()
  change(bench)
  const [sent, before] = [bench.posts(), held(bench)]
  expect(await undo(bench.actor, id)).toMatchObject(tooLate(description))
  expect(bench.posts()).toBe(sent)
  expect(held(bench)).toEqual(before)
  expect(await db().undo.findUnique({ where: { id } })).toMatchObject({ usedAt: null, claimedAt: null })
})

test('a rule whose neighbours were reordered has no old position; if a service offers none, that is reported', async () => {
  await using bench = await openBench()
  const { actor, server, serverId, ports } = bench
  server.rules = ['22', '80', '443'].map((port) => ({ ...rule(port), id: port }))
  const at = { serverId, requestId: createOpaqueId() }
  expect(await removeRules(actor, at, [{ ...rule('22'), id: '22' }])).toMatchObject({ ok: true })
  server.rules.reverse()
  expect(await undo(actor, at.requestId)).toMatchObject(tooLate(/^The rules were reordered/))
  server.rules.reverse()
  expect(await undo(actor, at.requestId)).toMatchObject({
    ok: true,
    data: { message: 'The rule was restored, but not at its old position. Check the order of the rules.' },
  })
  expect(ports()).toEqual(['80', '443', '22'])
})

test('a half deleted alone is restored alone, and rules that existed before an addition stay', async () => {
  await using bench = await openBench({ extensions: true })
  const { actor, server, serverId, upstream, upstreamId } = bench
  server.rules = [rule('22'), rule('80'), rule('22', 'v6'), rule('80', 'v6')].map((each, index) => ({ ...each, id: `${index}` }))
  const [four, six] = [server.rules[1], server.rules[3]].map((each) => ({ ...rule('80'), ...each }))
  if (!four || !six) throw new Error('There are no such rules.')
  const at = { serverId, requestId: createOpaqueId() }
  await removeRules(actor, at, [four, six])
  // Somebody brings one of them back.
  server.rules.splice(1, 0, { ...four })
  await undo(actor, at.requestId)
  expect(upstream.callsTo('POST', `/servers/${upstreamId}/savefirewallrule`).map(({ fields }) => fields)).toMatchObject([{ from: '::/0' }])

  server.rules = [{ ...rule('80'), id: '1' }]
  const added = { serverId, requestId: createOpaqueId() }
  await saveRule(actor, added, { action: 'allow', protocol: 'tcp', port: '80', from: 'any' })
  // As a service does that has both families: this one has the new half listed as a second IPv4 rule.
  server.rules = [
    { ...rule('80'), id: '1' },
    { ...rule('80', 'v6'), id: '2' },
  ]
  expect(await undo(actor, added.requestId)).toMatchObject({ ok: true })
  expect(server.rules.map(({ id }) => id)).toEqual(['1'])
})

test('nothing is stored if nothing changed, or the former state could not be saved again', async () => {
  await using bench = await openBench({ extensions: true })
  const { actor, serverId, server, upstream, upstreamId, change } = bench
  const at = () => ({ serverId, requestId: createOpaqueId() })
  const none = { ok: true, data: { undo: null } }
  expect(await saveJob(actor, at(), job('first'))).toEqual(none)
  server.cronjobs = [job('twice', '1'), job('twice', '2')]
  expect(await removeJob(actor, at(), job('twice', '2'))).toEqual(none)
  server.cronjobs = [job('cat\ninput', '1'), job('other', '2')]
  expect(await replaceJob(actor, at(), job('cat\ninput', '1'), job('cat'))).toEqual(none)
  expect(await removeJob(actor, at(), job('gone', '1'))).toMatchObject({ ok: false })
  server.rules = [{ ...rule('80'), action: 'ALLOW OUT', id: '1' }]
  expect(await removeRules(actor, at(), [{ ...rule('80'), action: 'ALLOW OUT', id: '1' }])).toEqual(none)
  upstream.set('success-false', { path: `/servers/${upstreamId}/savecronjob` })
  await expect(change.saveJob()).rejects.toThrow('It cannot be undone')
  expect(await db().undo.count()).toBe(0)
})

test('an edit that changes only spaces leaves the job unchanged', async () => {
  await using bench = await openBench()
  const at = { serverId: bench.serverId, requestId: createOpaqueId() }
  expect(await replaceJob(bench.actor, at, job('second', '2'), job(' second'))).toEqual({ ok: true, data: { undo: null } })
  expect(bench.commands()).toEqual(['first', 'second'])
})

test('a change whose answer was cut can be undone if it was made, and an undo whose answer was cut is settled by a read', async () => {
  await using bench = await openBench()
  const { actor, serverId, upstream, upstreamId, commands } = bench
  const at = { serverId, requestId: createOpaqueId() }
  upstream.set('reset-after', { path: `/servers/${upstreamId}/deletecronjob`, times: 1 })
  expect(await removeJob(actor, at, job('second', '2'))).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(await activity(actor)).toMatchObject([{ result: 'unknown', mark: { undo: { id: at.requestId } } }])

  upstream.set('reset-before', { path: `/servers/${upstreamId}/savecronjob`, times: 1 })
  expect(await undo(actor, at.requestId)).toMatchObject({
    ok: false,
    problem: { code: 'outcome_unknown', sentence: expect.stringMatching(/not undone yet/) },
  })
  expect(commands()).toEqual(['first'])
  upstream.set('reset-after', { path: `/servers/${upstreamId}/savecronjob`, times: 1 })
  expect(await undo(actor, at.requestId)).toMatchObject({ ok: true, data: { message: 'The job was restored.' } })
  expect(commands()).toEqual(['first', 'second'])
  expect((await auditRows()).filter((row) => row.startsWith('cron.save outcome'))).toEqual([
    'cron.save outcome unknown',
    'cron.save outcome unknown',
    'cron.save outcome done',
  ])
  expect((await activity(actor)).map(({ result }) => result)).toEqual(['done', 'unknown', 'unknown'])
})

test('changes of a deleted server are not undone, and their undos are deleted', async () => {
  await using bench = await openBench()
  const { actor, change, serverId } = bench
  const id = await change.deleteJob()
  await db().server.update({ where: { id: serverId }, data: { goneAt: new Date() } })
  expect(await undo(actor, id)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect((await activity(actor)).some(({ mark }) => mark?.undo)).toBe(false)
})
