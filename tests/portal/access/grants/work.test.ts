/** Events of servers, batches and repeated jobs are seen, stopped and repeated as far as grants reach. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { stopBatch } from '@/lib/portal/batches/stop'
import { listUnsettledBatches } from '@/lib/portal/batches/unsettled'
import { findBatch, listBatches } from '@/lib/portal/batches/view'
import { retryJob } from '@/lib/portal/entry/retry-job'
import { recordServerEvents } from '@/lib/portal/jobs/server-events'
import { listJobs } from '@/lib/portal/jobs/view'
import { noteServerEvents } from '@/lib/portal/subjects/findings/server-events'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { readCounts } from '@/lib/portal/views/home/counts'
import { readHome } from '@/lib/portal/views/home/home'
import type { BatchTargetState } from '@/prisma/generated/portal/client'
import { give, openScene } from './scene'

type Scene = Awaited<ReturnType<typeof openScene>>

/** A batch of backups of a site of each server, in these states. */
async function storeBatch({ team, owner, idOf }: Scene, states: readonly [BatchTargetState, BatchTargetState], ended: boolean) {
  const id = createOpaqueId()
  const at = new Date()
  const rows = (['shop.heron.example', 'shop.otter.example'] as const).map((name, seq) => ({
    seq,
    name,
    siteId: idOf(name),
    requestId: createOpaqueId(),
    state: states[seq] ?? 'done',
    startedAt: at,
    problemCode: states[seq] === 'failed' ? 'upstream_failed' : null,
    problemSentence: states[seq] === 'failed' ? `No space on ${name}.` : null,
  }))
  const own = { teamId: team.id, operation: 'backups.create', startedById: owner.user.id, sessionId: owner.sessionId }
  await db().batch.create({
    data: { id, ...own, mode: 'goOn', atOnce: 1, lease: '', startedAt: at, endedAt: ended ? at : null, targets: { create: rows } },
  })
  return id
}

test('an event of a server is seen by whoever has access to its subject there, in Jobs and in Activity', async () => {
  await using scene = await openScene()
  const [guest, other] = [await scene.team.join('guest'), await scene.team.join('guest')]
  const [connection] = await db().connection.findMany()
  for (const name of ['heron-1', 'otter-1']) {
    noteServerEvents({
      serverId: scene.idOf(name),
      connectionId: connection?.id ?? '',
      events: (['backup', 'reboot'] as const).map((kind) => ({
        id: `${name} ${kind}`,
        kind,
        at: new Date(),
        outcome: 'done' as const,
        site: '',
        detail: '',
      })),
    })
  }
  await recordServerEvents()
  await give(guest, { kind: 'server', id: scene.idOf('heron-1') }, { subjects: ['serverBackups'] })
  await give(other, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['serverBackups', 'backups'] })
  const read = async (who: typeof guest) => [
    (await listJobs(who)).map(({ title }) => title),
    (await readActivity(who, readFilter({ kind: 'servers' }), 'UTC', 50)).entries.map(({ target }) => target?.name),
  ]
  expect(await read(guest)).toEqual([['Nightly backup of heron-1'], ['heron-1']])
  expect(await read(other)).toEqual([[], []])
  expect((await listJobs(scene.owner)).length).toBe(4)
})

test('of a batch a guest sees, counts and repeats only what their access is over, and does not stop the rest', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  await give(guest, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['backups'], effects: ['read', 'change'] })
  const running = await storeBatch(scene, ['running', 'waiting'], false)
  const ended = await storeBatch(scene, ['failed', 'failed'], true)
  const view = await findBatch(guest, ended)
  expect(view).toMatchObject({ hidden: 0, repeatable: 1, gone: 0, counts: { failed: 1 } })
  expect(view?.targets.map(({ name }) => name)).toEqual(['shop.heron.example'])
  expect(JSON.stringify(await listBatches(guest))).not.toContain('otter')
  const unsettled = await listUnsettledBatches(guest, 0, await listBatches(guest))
  expect(unsettled).toMatchObject([{ failed: 1, first: { name: 'shop.heron.example' } }])
  const home = await readHome(guest, 0)
  expect(home.attention.map(({ says }) => says)).toEqual(['1 of 1 failed. shop.heron.example: No space on shop.heron.example.'])
  expect(JSON.stringify(home)).not.toContain('otter')
  expect(await stopBatch(guest, running, createOpaqueId())).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const given = { confirmName: '', stepUp: async () => null }
  const repeated = await repeatBatch(guest, { batchId: ended, ...given }, createOpaqueId())
  if (!repeated.ok) throw new Error(repeated.problem.sentence)
  const targets = await db().batchTarget.findMany({ where: { batchId: repeated.data.batchId } })
  expect(targets.map(({ name }) => name)).toEqual(['shop.heron.example'])
})

test('with access to very many servers the same jobs and batches are seen as with access to few', async () => {
  await using scene = await openScene()
  const [few, many] = [await scene.team.join('guest'), await scene.team.join('guest')]
  const subject = { teamId: scene.team.id, subjectKind: 'server' as const, name: 'many' }
  const ids = [scene.idOf('heron-1'), ...Array.from({ length: 600 }, createOpaqueId)]
  await db().label.createMany({ data: ids.map((subjectId) => ({ ...subject, subjectId })) })
  await give(few, { kind: 'server', id: scene.idOf('heron-1') }, { subjects: ['backups'] })
  await give(many, { kind: 'label', name: 'many' }, { subjects: ['backups'] })
  await storeBatch(scene, ['running', 'waiting'], false)
  await storeBatch(scene, ['failed', 'failed'], true)
  for (const domain of ['shop.heron.example', 'shop.otter.example']) {
    const times = { startedAt: new Date(0), heardAt: new Date(), endedAt: new Date() }
    const row = { teamId: scene.team.id, operation: 'backups.create', siteId: scene.idOf(domain), targetName: domain }
    const { serverId } = await db().site.findUniqueOrThrow({ where: { id: row.siteId } })
    await db().job.create({ data: { id: createOpaqueId(), ...row, serverId, state: 'done', lease: '', ...times } })
  }
  const read = async (who: typeof few) => {
    const batches = await listBatches(who)
    const unsettled = await listUnsettledBatches(who, 0, batches)
    return { jobs: await listJobs(who), batches, unsettled, counts: await readCounts(who) }
  }
  const seen = await read(many)
  expect(seen.unsettled).toMatchObject([{ failed: 1, first: { name: 'shop.heron.example' } }])
  expect(seen.jobs.map(({ targetName }) => targetName)).toEqual(['shop.heron.example'])
  expect(seen.batches.map(({ title, counts }) => [title, counts.failed + counts.running])).toEqual([
    ['Back up 1 site', 1],
    ['Back up 1 site', 1],
  ])
  expect(seen).toEqual(await read(few))
})

test('a failed job out of sight is not there to be started again, and one without the right to change is refused', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const store = async (domain: string) => {
    const id = createOpaqueId()
    const times = { startedAt: new Date(), heardAt: new Date(), endedAt: new Date() }
    const row = {
      teamId: scene.team.id,
      operation: 'backups.create',
      siteId: scene.idOf(domain),
      targetName: domain,
      state: 'failed' as const,
    }
    await db().job.create({ data: { id, ...row, lease: '', ...times } })
    return id
  }
  const [seen, hidden] = [await store('shop.heron.example'), await store('shop.otter.example')]
  await give(guest, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['backups'] })
  const retry = (jobId: string) =>
    retryJob({ actor: guest, requestId: createOpaqueId(), field: (name) => (name === 'jobId' ? jobId : ''), stepUp: async () => null })
  expect(await retry(hidden)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await retry(seen)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
})
