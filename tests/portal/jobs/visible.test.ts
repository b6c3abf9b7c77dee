/** Who sees which jobs. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findJob, listJobs, readJobEvents } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { readCounts } from '@/lib/portal/views/home/counts'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('jobs on what only another member’s own connection lists are not shown; those on a shared server are, through whichever connection', async () => {
  await using _ = await openPortalDatabase()
  await using hers = await startUpstream({ extensions: true })
  await using shared = await startUpstream({ extensions: true })
  hers.addServer({ name: 'hers' })
  shared.addServer({ name: 'shared' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('owner'), await team.join('operator')]
  const connectionId = await team.connect(hers, { ownerId: ann.user.id })
  await team.connect(shared)
  await listServers(ann)
  const begun = {
    teamId: ann.team.id,
    operation: 'sites.create',
    state: 'running',
    lease: 'x',
    heardAt: new Date(),
    connectionId,
  } as const
  for (const name of ['hers', 'shared']) {
    const server = await db().server.findFirstOrThrow({ where: { name } })
    await db().job.create({ data: { ...begun, id: `job-${name}`, serverId: server.id, targetName: name } })
    await db().jobEvent.create({ data: { jobId: `job-${name}`, seq: 1, at: new Date(), step: '', status: '', message: name } })
  }
  const seenBy = async (actor: typeof ann) => ({
    listed: (await listJobs(actor)).map(({ id }) => id).sort(),
    found: [(await findJob(actor, 'job-hers'))?.id, (await findJob(actor, 'job-shared'))?.id],
    lines: (await readJobEvents(actor, 'job-hers', 0, 9)).length,
    running: (await readCounts(actor)).running,
  })
  expect(await seenBy(ann)).toEqual({ listed: ['job-hers', 'job-shared'], found: ['job-hers', 'job-shared'], lines: 1, running: 2 })
  const his = { listed: ['job-shared'], found: [undefined, 'job-shared'], lines: 0, running: 1 }
  expect(await seenBy(bob)).toEqual(his)
  await db().server.updateMany({ where: { name: 'hers' }, data: { goneAt: new Date() } })
  await db().connection.delete({ where: { id: connectionId } })
  expect(await seenBy(bob)).toEqual(his)
})
