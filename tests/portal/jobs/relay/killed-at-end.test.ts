/** A portal that ends between the stored end of a job and what follows it: the next one makes up for that, once. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { relayOf } from '@/lib/portal/jobs/relay/relay'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { getSettings } from '@/lib/settings/settings'
import { openScene } from '@/tests/portal/batches/scene'
import { hear, startProcess } from '../../batches/processes'

const patience = { timeout: 20_000 }

const rowsOf = async (requestId: string) =>
  (await db().auditRow.findMany({ where: { requestId }, orderBy: { seq: 'asc' } })).map(({ stage, outcome }) => [stage, outcome])

/** A job that has failed, and of whose end nothing else could be written. */
async function leaveFailed({ actor, siteIds, upstream, upstreamIds }: Awaited<ReturnType<typeof openScene>>): Promise<string> {
  for (const [name, table, when] of [
    ['noOutcome', 'AuditRow', `WHEN new.stage = 'outcome'`],
    ['noNotification', 'Notification', ''],
  ]) {
    await db().$executeRawUnsafe(`CREATE TRIGGER ${name} BEFORE INSERT ON ${table} ${when} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`)
  }
  upstream.set('success-false', { path: `/sites/${upstreamIds[0]}/backup/creates` })
  const started = await startJob(actor, contract.backups.create, { siteId: siteIds[0] ?? '' })
  const id = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await db().job.findUnique({ where: { id } }))?.endedAt, patience).toBeInstanceOf(Date)
  await relayOf(id)
  for (const name of ['noOutcome', 'noNotification']) await db().$executeRawUnsafe(`DROP TRIGGER ${name}`)
  expect(await rowsOf(id)).toEqual([['intent', 'asked']])
  return id
}

test('its outcome and its notification are written by the next process, and not again by a later one', async () => {
  await using scene = await openScene({ sites: 1 })
  const id = await leaveFailed(scene)
  expect(await db().notification.count()).toBe(0)
  await resumeJobs()
  expect(await rowsOf(id)).toEqual([
    ['intent', 'asked'],
    ['outcome', 'failed'],
  ])
  expect(await db().notification.findMany()).toMatchObject([{ kind: 'job_failed', userId: scene.actor.user.id, subjectId: id }])
  await resumeJobs()
  expect([(await rowsOf(id)).length, await db().notification.count()]).toEqual([2, 1])
})

test('two processes that start at once write it once', { timeout: 60_000 }, async () => {
  await using scene = await openScene({ sites: 1 })
  const id = await leaveFailed(scene)
  await Promise.all([1, 2, 3].map(() => hear(startProcess(getSettings(), []), 'over')))
  expect(await rowsOf(id)).toEqual([
    ['intent', 'asked'],
    ['outcome', 'failed'],
  ])
  expect(await db().notification.count()).toBe(1)
})

test('a job that ended long ago, and one without an intent, are left as they are', async () => {
  await using scene = await openScene({ sites: 1 })
  const id = await leaveFailed(scene)
  const job = await db().job.update({ where: { id }, data: { endedAt: new Date(Date.now() - 3 * 24 * 3_600_000) } })
  await db().job.create({ data: { ...job, id: 'without-an-intent', endedAt: new Date() } })
  await resumeJobs()
  expect([(await rowsOf(id)).length, (await rowsOf('without-an-intent')).length]).toEqual([1, 0])
})
