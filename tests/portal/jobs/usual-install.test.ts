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

test('the median of the successful installs of such servers; nothing while there is none, and of other teams nothing', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', provider: 'debian' })
  upstream.addServer({ name: 'sand', provider: 'sandbox' })
  const team = await createTeam()
  const ann = await team.join('owner')
  const connectionId = await team.connect(upstream)
  const ids = new Map((await listServers(ann)).servers.map(({ name, id }) => [name, id]))
  const startedAt = new Date('2026-11-20T12:00:00Z')
  const job = { teamId: team.id, connectionId, lease: '', heardAt: startedAt, startedAt, operation: 'servers.install', targetName: 'one' }
  const add = (seconds: number, more: { state?: 'done' | 'failed'; server?: string } = {}) =>
    db().job.create({
      data: {
        ...job,
        id: createOpaqueId(),
        state: more.state ?? 'done',
        serverId: ids.get(more.server ?? 'alpha') ?? '',
        endedAt: new Date(startedAt.getTime() + seconds * 1000),
      },
    })
  await add(5, { server: 'sand' })
  await add(7, { state: 'failed' })
  expect(await findUsualInstall(ann, real)).toBeNull()
  await add(300)
  await add(200)
  expect(await findUsualInstall(ann, real)).toEqual({ medianMs: 250_000, count: 2 })
  await add(1000)
  expect(await findUsualInstall(ann, real)).toEqual({ medianMs: 300_000, count: 3 })
  expect(await findUsualInstall(ann, { provider: 'sandbox' })).toEqual({ medianMs: 5_000, count: 1 })
  const other = await createTeam()
  expect(await findUsualInstall(await other.join('owner'), real)).toBeNull()
})
