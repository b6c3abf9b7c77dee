/** How long an install usually takes: the median of those before, of the same provider and of the reader's team. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findUsualInstall } from '@/lib/portal/jobs/usual-install'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const real = { provider: 'debian' }

test('the median of the team’s successful installs of such servers, with the steps of the newest; null without one', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', provider: 'debian' })
  upstream.addServer({ name: 'sand', provider: 'sandbox' })
  const team = await createTeam()
  const ann = await team.join('owner')
  const connectionId = await team.connect(upstream)
  const ids = new Map((await listServers(ann)).servers.map(({ name, id }) => [name, id]))
  const startedAt = new Date('2026-11-20T12:00:00Z')
  const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000)
  const job = { teamId: team.id, connectionId, lease: '', heardAt: startedAt, startedAt, operation: 'servers.install', targetName: 'one' }
  const add = (seconds: number, more: { state?: 'done' | 'failed'; server?: string } = {}) =>
    db().job.create({
      data: {
        ...job,
        id: createOpaqueId(),
        state: more.state ?? 'done',
        serverId: ids.get(more.server ?? 'alpha') ?? '',
        endedAt: at(seconds),
      },
    })
  await add(5, { server: 'sand' })
  await add(7, { state: 'failed' })
  expect(await findUsualInstall(ann, real)).toBeNull()
  await add(300)
  await add(200)
  expect(await findUsualInstall(ann, real)).toEqual({ medianMs: 250_000, count: 2, steps: [] })
  await add(1000)
  expect(await findUsualInstall(ann, real)).toEqual({ medianMs: 300_000, count: 3, steps: [] })
  expect(await findUsualInstall(ann, { provider: 'sandbox' })).toEqual({ medianMs: 5_000, count: 1, steps: [] })
  const newest = await db().job.create({
    data: { ...job, id: createOpaqueId(), state: 'done', serverId: ids.get('alpha') ?? '', startedAt: at(3600), endedAt: at(3700) },
  })
  const line = (seq: number, seconds: number, step: string) =>
    db().jobEvent.create({ data: { jobId: newest.id, seq, at: at(3600 + seconds), step, status: 'running', message: '' } })
  await line(1, 0, '')
  await line(2, 1, 'web-server')
  await line(3, 30, 'web-server')
  await line(4, 41, 'database')
  await line(5, 90, '')
  expect((await findUsualInstall(ann, real))?.steps).toEqual([
    { name: 'web-server', ms: 40_000 },
    { name: 'database', ms: 59_000 },
  ])
  const other = await createTeam()
  expect(await findUsualInstall(await other.join('owner'), real)).toBeNull()
})
