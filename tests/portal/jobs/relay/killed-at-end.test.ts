/** A portal that ends between the stored end of a job and what follows it: the next one makes up for that, once. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { relayOf } from '@/lib/portal/jobs/relay/relay'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { getSettings } from '@/lib/settings/settings'
import { openScene, statesOf } from '@/tests/portal/batches/scene'
import { forgetProcess } from '@/tests/support/reset-process'
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

test.each(['Job', 'BatchTarget'])(
  'a deletion that a later list settles is done everywhere, if the portal ends before it changes the table %s',
  async (table) => {
    await using scene = await openScene({ sites: 2, extensions: false })
    const { actor, connectionId, upstream, upstreamIds } = scene
    upstream.set('truncated-json', { path: `/sites/${upstreamIds[0]}/delete` })
    const batchId = await scene.run({ operation: 'sites.delete', confirmName: '2' })
    expect(await statesOf(batchId)).toEqual(['unknown', 'done'])
    const { requestId: id } = await db().batchTarget.findFirstOrThrow({ where: { batchId, seq: 0 } })
    upstream.model.sites.delete(upstreamIds[0] ?? '')
    const listAfterRestart = async () => {
      forgetProcess()
      forgetListing(connectionId)
      await Promise.allSettled([listSites(actor)])
    }
    await db().$executeRawUnsafe(
      `CREATE TRIGGER ends BEFORE UPDATE OF state ON ${table} BEGIN SELECT RAISE(ABORT, 'the process ends'); END`,
    )
    await listAfterRestart()
    await db().$executeRawUnsafe('DROP TRIGGER ends')
    await listAfterRestart()
    expect(await statesOf(batchId)).toEqual(['done', 'done'])
    expect(await db().job.findUnique({ where: { id } })).toMatchObject({ state: 'done', problemCode: null })
    expect(await rowsOf(id)).toEqual([
      ['intent', 'asked'],
      ['outcome', 'unknown'],
      ['outcome', 'done'],
    ])
  },
)
