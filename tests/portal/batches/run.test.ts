/** A batch runs in the portal's process: each target once, with an outcome of its own, whoever is there or not. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { runBatch } from '@/lib/portal/batches/runner'
import { stopBatch } from '@/lib/portal/batches/stop'
import { findBatch, listBatches } from '@/lib/portal/batches/view'
import { retryJob } from '@/lib/portal/entry/retry-job'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { endOtherSessions, endSessionsOf, openSession } from '@/lib/portal/identity/session'
import { signOutSession } from '@/lib/portal/identity/sign-out'
import { findJob, listJobs } from '@/lib/portal/jobs/view'
import { waitForJob } from '@/lib/portal/jobs/wait'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { refreshSites } from '@/lib/portal/subjects/sites/listing'
import { inputOf, signedInLately } from '@/tests/support/own-input'
import { createTeam } from '@/tests/support/portal-team'
import { openScene, statesOf } from './scene'

const patience = { timeout: 20_000 }

/** Another session of the operator. */
async function openBrowser({ actor: { user, team } }: Awaited<ReturnType<typeof openScene>>) {
  const sid = await openSession({ userId: user.id, teamId: team.id }, { peer: '127.0.0.1', userAgent: 'another browser' })
  const actor = await findActorBySid(sid)
  if (!actor) throw new Error('The new session does not stand.')
  return { actor, sid }
}

test('each site is backed up once, in a job of its own, and the audit log has the batch and each backup', async () => {
  await using scene = await openScene()
  const { actor, siteIds } = scene
  const id = await scene.run()
  expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
  expect(scene.backups()).toEqual([1, 1, 1])
  expect(await findBatch(actor, id)).toMatchObject({
    title: 'Back up 3 sites',
    startedBy: actor.user.name,
    endedAt: expect.any(String),
    problem: null,
    repeatable: 0,
    hidden: 0,
    counts: { done: 3, failed: 0, waiting: 0 },
    targets: siteIds.map((siteId, seq) => ({ siteId, seq, name: `site-${seq}.example`, job: { id: expect.any(String) } })),
  })
  expect(await listBatches(actor)).toHaveLength(1)
  expect(await listJobs(actor)).toEqual([])
  const rows = await db().auditRow.findMany({ where: { actorId: actor.user.id }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, stage, objectKind }) => [action, stage, objectKind])).toEqual([
    ['batches.start', 'intent', 'batch'],
    ['batches.start', 'outcome', 'batch'],
    ...siteIds.flatMap(() => [
      ['backups.create', 'intent', 'site'],
      ['backups.create', 'outcome', 'site'],
    ]),
  ])
  expect(await db().notification.count()).toBe(0)
})

test('servers are worked on side by side, and each on one site at a time', async () => {
  await using scene = await openScene({ servers: 2, sites: 4 })
  scene.upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 300 }
  const id = await scene.run({ atOnce: '4' })
  expect(await statesOf(id)).toEqual(['done', 'done', 'done', 'done'])
  const rows = await db().batchTarget.findMany({ where: { batchId: id }, orderBy: { seq: 'asc' } })
  const times = rows.map(({ startedAt, endedAt }) => [startedAt?.getTime() ?? 0, endedAt?.getTime() ?? 0] as const)
  const overlap = (one: number, other: number) => {
    const [[from, to], [start, end]] = [times[one] ?? [0, 0], times[other] ?? [0, 0]]
    return from < end && start < to
  }
  expect([overlap(0, 1), overlap(0, 2), overlap(1, 3)]).toEqual([true, false, false])
})

test('one that fails is named with its reason, the others continue, and a repetition has it alone', async () => {
  await using scene = await openScene()
  const { upstream, upstreamIds, actor } = scene
  upstream.set('success-false', { path: `/sites/${upstreamIds[1]}/backup/creates` })
  const id = await scene.run()
  expect(await statesOf(id)).toEqual(['done', 'failed', 'done'])
  const view = await findBatch(actor, id)
  expect(view?.targets[1]?.problem?.sentence).toContain('The server is locked.')
  expect(view?.repeatable).toBe(1)
  expect(await db().notification.findMany()).toMatchObject([{ kind: 'batch_incomplete', userId: actor.user.id, subjectId: id }])
  upstream.clear()
  const again = await repeatBatch(actor, { batchId: id, confirmName: '', stepUp: signedInLately }, createOpaqueId())
  if (!again.ok) throw new Error(again.problem.sentence)
  await runBatch(again.data.batchId)
  expect(await statesOf(again.data.batchId)).toEqual(['done'])
  expect(scene.backups()).toEqual([1, 1, 1])
  expect(
    await repeatBatch(actor, { batchId: again.data.batchId, confirmName: '', stepUp: signedInLately }, createOpaqueId()),
  ).toMatchObject({
    problem: { code: 'changed_meanwhile' },
  })
})

test('a batch is repeated once: a second tab is refused, its page and the job name the repetition, and a job tried again alone is left out', async () => {
  await using scene = await openScene()
  const { upstream, upstreamIds, actor, team } = scene
  for (const upstreamId of upstreamIds.slice(1)) upstream.set('success-false', { path: `/sites/${upstreamId}/backup/creates` })
  const id = await scene.run()
  expect(await statesOf(id)).toEqual(['done', 'failed', 'failed'])
  upstream.clear()
  const jobs = (await findBatch(actor, id))?.targets.map(({ job }) => job?.id ?? '') ?? []
  const alone = await retryJob(inputOf(actor, { jobId: jobs[2] ?? '' }))
  if (!alone.ok) throw new Error(alone.problem.sentence)
  await waitForJob(alone.data.jobId)
  expect(await findBatch(actor, id)).toMatchObject({ repeatable: 1, newer: [] })
  const repeat = (who: typeof actor, requestId = createOpaqueId()) =>
    repeatBatch(who, { batchId: id, confirmName: '', stepUp: signedInLately }, requestId)
  const requestIds = [createOpaqueId(), createOpaqueId()]
  const both = await Promise.all(requestIds.map((requestId) => repeat(actor, requestId)))
  expect(both.filter(({ ok }) => !ok)).toMatchObject([
    { problem: { code: 'changed_meanwhile', sentence: 'This was already started again. Reload the page to see the newer one.' } },
  ])
  const [again = ''] = both.flatMap((outcome) => (outcome.ok ? [outcome.data.batchId] : []))
  await runBatch(again)
  expect(await statesOf(again)).toEqual(['done'])
  expect(await repeat(actor, again)).toEqual({ ok: true, data: { batchId: again, leftOut: 0 } })
  const mate = await team.join('admin')
  expect(await repeat(mate)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(await findBatch(mate, id)).toMatchObject({ repeatable: 0, newer: [{ id: again, title: 'Back up 1 site' }] })
  expect(await findJob(mate, jobs[1] ?? '')).toMatchObject({ repeatable: false, newer: { kind: 'batch', id: again } })
  expect(await retryJob(inputOf(mate, { jobId: jobs[1] ?? '' }))).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect([await db().batch.count(), scene.backups()]).toEqual([2, [1, 1, 1]])
})

test('a repetition leaves out what is no longer listed, and says how many that are', async () => {
  await using scene = await openScene()
  const { upstream, upstreamIds, actor, team, connectionId } = scene
  const list = async () => refreshSites(await db().connection.findUniqueOrThrow({ where: { id: connectionId } }), 0)
  for (const upstreamId of upstreamIds) upstream.set('success-false', { path: `/sites/${upstreamId}/backup/creates` })
  const id = await scene.run()
  expect(await findBatch(actor, id)).toMatchObject({ repeatable: 3, gone: 0 })
  upstream.clear()
  upstream.model.sites.delete(upstreamIds[0] ?? '')
  await list()
  expect(await findBatch(actor, id)).toMatchObject({ repeatable: 2, gone: 1 })
  expect(await findBatch(await team.join('viewer'), id)).toMatchObject({ repeatable: 0, denied: 2 })
  const again = await repeatBatch(actor, { batchId: id, confirmName: '', stepUp: signedInLately }, createOpaqueId())
  if (!again.ok) throw new Error(again.problem.sentence)
  expect(again.data.leftOut).toBe(1)
  await runBatch(again.data.batchId)
  expect(await statesOf(again.data.batchId)).toEqual(['done', 'done'])
  for (const upstreamId of upstreamIds) upstream.model.sites.delete(upstreamId)
  await list()
  expect(await findBatch(actor, id)).toMatchObject({ repeatable: 0, gone: 1 })
  expect(await repeatBatch(actor, { batchId: id, confirmName: '', stepUp: signedInLately }, createOpaqueId())).toMatchObject({
    problem: { code: 'changed_meanwhile' },
  })
})

test('at the first failure no more begin, if wanted so; and none at all if the first fails alone', async () => {
  await using scene = await openScene()
  const { upstream, upstreamIds } = scene
  upstream.set('success-false', { path: `/sites/${upstreamIds[1]}/backup/creates` })
  expect(await statesOf(await scene.run({ mode: 'stopAtFailure' }))).toEqual(['done', 'failed', 'skipped'])
  expect(await statesOf(await scene.run({ mode: 'firstAlone' }))).toEqual(['done', 'failed', 'done'])
  upstream.clear()
  upstream.set('success-false', { path: `/sites/${upstreamIds[0]}/backup/creates` })
  expect(await statesOf(await scene.run({ mode: 'firstAlone' }))).toEqual(['failed', 'skipped', 'skipped'])
})

test('stopped by a member: what runs ends, the others do not begin, and the page and the audit log say who did it', async () => {
  await using scene = await openScene()
  const { upstream, team, actor } = scene
  upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 700 }
  const started = await scene.start()
  const id = started.ok ? started.data.batchId : ''
  await expect.poll(() => statesOf(id), patience).toEqual(['running', 'waiting', 'waiting'])
  const stop = async (who: typeof actor) => stopBatch(who, id, createOpaqueId())
  expect(await stop(await team.join('viewer'))).toMatchObject({ problem: { code: 'forbidden' } })
  expect(await stop(await (await createTeam('Theirs')).join('owner'))).toMatchObject({ problem: { code: 'not_found' } })
  const mate = await team.join('admin')
  expect(await stop(mate)).toEqual({ ok: true, data: {} })
  expect(await stop(mate)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'skipped', 'skipped'])
  expect(scene.backups()).toEqual([1, 0, 0])
  expect(await findBatch(actor, id)).toMatchObject({ stoppedBy: mate.user.name, repeatable: 2 })
  expect(await db().auditRow.count({ where: { action: 'batches.stop', actorId: mate.user.id, outcome: 'done' } })).toBe(1)
})

test('the same form sent twice starts one batch', async () => {
  await using scene = await openScene()
  const requestId = createOpaqueId()
  const [one, two] = [await scene.start({}, { requestId }), await scene.start({}, { requestId })]
  expect(one).toEqual(two)
  await runBatch(requestId)
  expect(scene.backups()).toEqual([1, 1, 1])
})

test('it continues while its starter is idle, after the session expired, and after its own browser signed out', async () => {
  await using scene = await openScene()
  const { actor, sid } = await openBrowser(scene)
  const started = await scene.start({}, { by: actor })
  const id = started.ok ? started.data.batchId : ''
  await signOutSession(sid)
  await db().session.update({ where: { id: actor.sessionId }, data: { seenAt: new Date(0), expiresAt: new Date(1) } })
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
})

test.each([
  ['their sessions are ended', (userId: string) => endSessionsOf(userId), 'signed_out'],
  ['their other sessions are ended', (userId: string) => endOtherSessions({ userId, keep: 'another' }), 'signed_out'],
  ['their account is disabled', (id: string) => db().user.update({ where: { id }, data: { disabledAt: new Date() } }), 'signed_out'],
  ['their membership ends', (userId: string) => db().membership.deleteMany({ where: { userId } }), 'signed_out'],
  ['they may only view', (userId: string) => db().membership.updateMany({ where: { userId }, data: { role: 'viewer' } }), 'forbidden'],
] as const)('security 16: once %s, no more targets of a batch begin', async (_what, end, code) => {
  await using scene = await openScene()
  const { upstream, team } = scene
  const { actor, sid } = await openBrowser(scene)
  let finish = () => {}
  const until = new Promise<void>((resolve) => {
    finish = resolve
  })
  upstream.model.siteLines = { steps: ['archive'], msPerLine: 0, until }
  const started = await scene.start({}, { by: actor })
  const id = started.ok ? started.data.batchId : ''
  // The service has begun with the first one.
  await expect.poll(() => db().jobEvent.count(), patience).toBeGreaterThan(0)
  expect(await statesOf(id)).toEqual(['running', 'waiting', 'waiting'])
  // Signing out first must not save the rest from what follows.
  await signOutSession(sid)
  await end(actor.user.id)
  finish()
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'skipped', 'skipped'])
  expect((await findBatch(await team.join('owner'), id))?.problem?.code).toBe(code)
  expect(scene.backups()).toEqual([1, 0, 0])
})

test('a frozen connection is noticed for each target: nothing is sent, and the reason is named', async () => {
  await using scene = await openScene()
  const { upstream, actor, connectionId } = scene
  const where = { id: connectionId }
  await db().connection.update({ where, data: { frozenAt: new Date(), frozenById: actor.user.id } })
  const calls = upstream.calls.length
  const id = await scene.run()
  expect(await statesOf(id)).toEqual(['failed', 'failed', 'failed'])
  expect((await findBatch(actor, id))?.targets.map(({ problem }) => problem?.sentence)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining(`${actor.user.name} froze`)),
  )
  expect(upstream.calls.slice(calls)).toEqual([])
})

test('an unknown target refuses all: nothing is left out in silence', async () => {
  await using scene = await openScene()
  const { team, siteIds, upstream } = scene
  const theirs = await createTeam('Theirs')
  const stranger = await theirs.join('owner')
  const targets = [...siteIds, 'x'.repeat(22)].map((id) => ({ id, fields: {} }))
  expect(await scene.start({ targets })).toMatchObject({ problem: { code: 'not_found' } })
  expect(await scene.start({}, { by: stranger })).toMatchObject({ problem: { code: 'not_found' } })
  expect(await scene.start({}, { by: await team.join('viewer') })).toMatchObject({ problem: { code: 'forbidden' } })
  expect(await scene.start({ targets: [] })).toMatchObject({ problem: { code: 'invalid' } })
  expect(await scene.start({ mode: 'other' })).toMatchObject({ problem: { code: 'invalid' } })
  expect(await scene.start({ atOnce: '9' })).toMatchObject({ problem: { code: 'invalid' } })
  expect(await scene.start({ operation: 'sites.create' })).toMatchObject({ problem: { code: 'invalid' } })
  expect([await db().batch.count(), upstream.calls.filter(({ path }) => path.endsWith('/creates')).length]).toEqual([0, 0])
})

test('a target whose answer was lost is done once a later list lacks its site, and the counts follow', async () => {
  await using scene = await openScene({ sites: 2, extensions: false })
  const { actor, connectionId, upstream, upstreamIds } = scene
  upstream.set('truncated-json', { path: `/sites/${upstreamIds[0]}/delete` })
  const id = await scene.run({ operation: 'sites.delete', confirmName: '2' })
  expect(await statesOf(id)).toEqual(['unknown', 'done'])
  upstream.model.sites.delete(upstreamIds[0] ?? '')
  forgetListing(connectionId)
  await listSites(actor)
  expect(await findBatch(actor, id)).toMatchObject({ counts: { done: 2, unknown: 0 }, repeatable: 0 })
  const target = await db().batchTarget.findFirstOrThrow({ where: { batchId: id, seq: 0 } })
  expect(target).toMatchObject({ state: 'done', problemCode: null, problemSentence: null })
})
