/** What a service began at night is a job that nobody started: it is found by a check of the server, once. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { followNightRuns } from '@/lib/portal/jobs/night-runs'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene({ extensions }: { extensions: boolean }) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  const upstreamId = upstream.addServer({ name: 'web-01' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  return {
    upstream,
    actor,
    serverId,
    /** A check of the server that tells of this run. */
    async check(run: string) {
      const server = upstream.model.servers.get(upstreamId)
      if (!server) throw new Error('The server is not there.')
      server.found = { night_run: run }
      expect(await runOperation(actor, contract.servers.summary, { serverId })).toMatchObject({ ok: true })
      await followNightRuns()
    },
    upgrades: () => upstream.calls.filter(({ path }) => path.endsWith('/upgrade')),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('it becomes one job by Gatehouse, which is followed and never started, with an intent and an outcome', async () => {
  await using scene = await openScene({ extensions: true })
  for (const run of ['run-1', 'run-1']) await scene.check(run)
  const rows = await db().job.findMany()
  expect(rows).toMatchObject([{ operation: 'servers.upgrade', serverId: scene.serverId, startedById: null, nightRun: 'run-1' }])
  const jobId = rows[0]?.id ?? ''
  await expect.poll(async () => (await findJob(scene.actor, jobId))?.state, patience).toBe('done')
  expect(await findJob(scene.actor, jobId)).toMatchObject({ startedBy: 'Gatehouse', targetName: 'web-01' })
  expect(scene.upgrades().map(({ headers }) => headers['last-event-id'])).toEqual(['0'])
  await expect
    .poll(
      async () => (await db().auditRow.findMany({ where: { requestId: jobId } })).map(({ actorKind, outcome }) => [actorKind, outcome]),
      patience,
    )
    .toEqual([
      ['gatehouse', 'asked'],
      ['gatehouse', 'done'],
    ])
  await scene.check('run-1')
  expect(await db().job.count()).toBe(1)
  // A service that names another one at each check fills nothing.
  await scene.check('run-2')
  expect(await db().job.count()).toBe(1)
  await db().job.updateMany({ data: { startedAt: new Date(Date.now() - 86_400_000) } })
  await scene.check('run-2')
  expect(await db().job.count()).toBe(2)
})

test('a service without extensions, which might start the work, is not followed', async () => {
  await using scene = await openScene({ extensions: false })
  await scene.check('run-1')
  expect([await db().job.count(), scene.upgrades()]).toEqual([0, []])
})
