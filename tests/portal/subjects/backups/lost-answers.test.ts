/** A backup, and a deletion of backups, whose answer was lost: the list settles them, and nothing is sent twice. */
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { backUpSite } from '@/lib/portal/entry/back-up-site'
import { readBack } from '@/lib/portal/jobs/relay/read-back'
import { findJob } from '@/lib/portal/jobs/view'
import { namesBefore, pruneNamesBefore } from '@/lib/portal/subjects/backups/names-before'
import { deleteSiteBackups } from '@/lib/portal/subjects/counted/delete-site-backups'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { shownChanges } from '@/lib/portal/subjects/sites/shown-changes'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene(options: UpstreamOptions = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  upstream.addServer({ name: 'web-01' })
  const id = upstream.addSite({
    domain: 'first.example',
    backups: ['one.tar', 'two.tar', 'three.tar'].map((name) => ({ name, size: 1, date: 'Nov 21 10:17' })),
  })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const site = upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  return {
    upstream,
    actor,
    siteId,
    site,
    path: `/sites/${id}`,
    async backUp() {
      const started = await backUpSite(inputOf(actor, { siteId }))
      if (!started.ok) throw new Error(started.problem.sentence)
      const { jobId } = started.data
      await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, { timeout: 60_000 }).not.toBeNull()
      return jobId
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const outcomesOf = async (requestId: string) =>
  (await db().auditRow.findMany({ where: { requestId }, orderBy: { seq: 'asc' } })).map(({ outcome }) => outcome)

test.each(['reset-after', 'html-after'] as const)('a backup whose answer is lost (%s): a new name in the list shows it', async (fault) => {
  await using scene = await openScene()
  const { actor, upstream, site, path, backUp } = scene
  upstream.set(fault, { path: `${path}/backup/creates` })
  const jobId = await backUp()
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'done', problem: null, title: 'Back up first.example' })
  expect([site.backups.length, upstream.callsTo('GET', `${path}/backup/creates`).length]).toEqual([4, 1])
  await expect.poll(() => outcomesOf(jobId), patience).toEqual(['asked', 'done'])
})

/** What comes of a job that ended unknown, read once more. */
async function readOnce(jobId: string) {
  const row = await db().job.findUniqueOrThrow({ where: { id: jobId } })
  const end = { state: 'unknown', problem: problem('outcome_unknown') } as const
  return (await readBack({ row, connection: await db().connection.findFirst() }, shownChanges.backedUp, end, 0)).state
}

test('the names from before are found by another portal, or after a restart, and go once no job can need them', async () => {
  await using scene = await openScene()
  const jobId = await scene.backUp()
  forgetProcess()
  expect(await namesBefore(jobId)).toEqual(new Set(['one.tar', 'two.tar', 'three.tar']))
  expect([await namesBefore('another'), await pruneNamesBefore()]).toEqual([undefined, 0])
  expect(await pruneNamesBefore(new Date(Date.now() + 9 * 24 * 3_600_000))).toBe(1)
})

test('backups that were there before, or were made for another reason, prove nothing', async () => {
  await using scene = await openScene({ extensions: true })
  const { site, backUp } = scene
  const jobId = await backUp()
  expect(await readOnce(jobId)).toBe('done')
  const [made] = site.backups.splice(3)
  expect(await readOnce(jobId)).toBe('unknown')
  const earlier = new Date(Date.now() - 3_600_000).toISOString()
  if (made) site.backups.push({ ...made, created_at: earlier }, { ...made, name: 'night.tar', reason: 'nightly' })
  expect(await readOnce(jobId)).toBe('unknown')
})

test('backups are deleted once by their number; after a lost answer the list shows that they are gone', async () => {
  await using scene = await openScene()
  const { actor, upstream, siteId, site, path } = scene
  upstream.set('reset-after', { path: `${path}/backups`, times: 1 })
  const input = inputOf(actor, { siteId, ids: '["one.tar","two.tar"]', confirmName: '2' })
  expect(await deleteSiteBackups(input)).toEqual({ ok: true, data: {} })
  expect(site.backups.map(({ name }) => name)).toEqual(['three.tar'])
  expect(upstream.callsTo('POST', `${path}/backups`).map(({ fields }) => fields)).toEqual([{ ids: ['one.tar', 'two.tar'] }])
  expect(await outcomesOf(input.requestId)).toEqual(['asked', 'unknown', 'done'])
})

test('a deletion that the list does not show stays unknown, and a wrong number deletes nothing', async () => {
  await using scene = await openScene()
  const { actor, upstream, siteId, site, path } = scene
  const remove = (confirmName: string) => deleteSiteBackups(inputOf(actor, { siteId, ids: '["one.tar"]', confirmName }))
  upstream.set('502-html', { path: `${path}/backups`, times: 1 })
  expect(await remove('1')).toMatchObject({ ok: false })
  for (const typed of ['2', '', 'first.example']) expect(await remove(typed)).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(site.backups).toHaveLength(3)
})
