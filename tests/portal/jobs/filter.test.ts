/** The filter of the page Jobs: parsed from an address, and applied to what the reader may see. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { type JobFilter, readJobFilter, whereOf, writeJobFilter } from '@/lib/portal/jobs/filter'
import { listJobChoices, listJobs } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const nothing = readJobFilter({})

test('parts of an address that cannot be parsed are ignored, and a filter is written as it was read', () => {
  expect(nothing).toEqual({ kind: null, server: null, person: null, outcome: null, from: null, to: null })
  expect(readJobFilter({ kind: 'sites.teleport', server: '../x', person: ['a', 'b'], outcome: 'great', from: '2026-02-31' })).toEqual(
    nothing,
  )
  const id = createOpaqueId()
  const query = { kind: 'backups.create', server: id, person: id, outcome: 'failed', from: '2026-11-20', to: '2026-11-21' }
  expect(writeJobFilter(readJobFilter(query))).toEqual(query)
  expect(writeJobFilter(nothing)).toEqual({})
})

test('jobs are filtered by kind, server, person, outcome and time, also beyond the newest 200', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  for (const name of ['alpha', 'beta']) upstream.addServer({ name })
  const team = await createTeam()
  const [ann, bob] = [await team.join('owner'), await team.join('operator')]
  const connectionId = await team.connect(upstream)
  const [alpha, beta] = (await listServers(ann)).servers.map(({ id }) => id)
  const at = (day: string) => new Date(`${day}T12:00:00Z`)
  const job = { teamId: team.id, connectionId, lease: '', heardAt: at('2026-11-20'), state: 'done' as const, serverId: alpha ?? '' }
  const rows = [
    { targetName: 'one', operation: 'backups.create', startedById: ann.user.id, startedAt: at('2026-11-01') },
    { targetName: 'two', operation: 'servers.install', startedById: bob.user.id, startedAt: at('2026-11-02'), serverId: beta ?? '' },
    { targetName: 'three', operation: 'backups.create', startedById: bob.user.id, startedAt: at('2026-11-03'), state: 'failed' as const },
  ]
  for (const row of rows) await db().job.create({ data: { ...job, ...row, id: createOpaqueId() } })
  const later = Array.from({ length: 200 }, (_, at) => ({
    targetName: `later ${at}`,
    operation: 'sites.download',
    startedById: ann.user.id,
  }))
  await db().job.createMany({ data: later.map((row) => ({ ...job, ...row, id: createOpaqueId(), startedAt: at('2026-11-10') })) })
  const find = async (filter: Partial<JobFilter>) =>
    (await listJobs(ann, whereOf({ ...nothing, ...filter }, 'Europe/Berlin'))).map(({ targetName }) => targetName)
  expect(await find({ kind: 'backups.create' })).toEqual(['three', 'one'])
  expect(await find({ server: beta ?? '' })).toEqual(['two'])
  expect(await find({ person: bob.user.id })).toEqual(['three', 'two'])
  expect(await find({ outcome: 'failed' })).toEqual(['three'])
  expect(await find({ from: '2026-11-02', to: '2026-11-03', kind: 'servers.install' })).toEqual(['two'])
  expect(await find({ to: '2026-11-01' })).toEqual(['one'])
  expect(await find({ kind: 'backups.create', person: ann.user.id, outcome: 'failed' })).toEqual([])
  const { kinds, servers } = await listJobChoices(bob)
  expect(kinds.map(({ id }) => id).sort()).toEqual(['backups.create', 'servers.install', 'sites.download'])
  expect(servers.map(({ name }) => name)).toEqual(['alpha', 'beta'])
})
