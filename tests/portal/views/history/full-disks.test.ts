/** Which disks Home reports, and to whom. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listFullDisks } from '@/lib/portal/views/history/full-disks'
import { openDesk } from '@/tests/portal/spine/desk'
import { forgetProcess } from '@/tests/support/reset-process'

const now = Date.now()

/** A sample every two hours from the newest back. */
async function keep(serverId: string, used: readonly (number | null)[], ago = 0): Promise<void> {
  const sample = (diskUsed: number | null, index: number) => ({
    serverId,
    at: Math.floor(now / 60_000) - ago - index * 120,
    reachable: diskUsed !== null,
    diskUsed,
    diskTotal: diskUsed === null ? null : 100,
  })
  await db().sample.createMany({ data: used.map(sample) })
}

test('disks that are nearly full, or will be within two weeks, are reported from the newest sample; old samples, half-full disks and other teams are not', async () => {
  await using desk = await openDesk('viewer')
  const names = ['filling', 'half', 'slow', 'stale']
  for (const name of names) desk.upstream.addServer({ name })
  forgetProcess()
  const ids = new Map((await listServers(desk.actor)).servers.map(({ name, id }) => [name, id]))
  const id = (name: string) => ids.get(name) ?? ''
  // alpha could not be reached lately: what was known before still holds.
  await keep(id('alpha'), [null, null, 93, 99])
  await keep(
    id('filling'),
    Array.from({ length: 40 }, (_, index) => 85 - index / 6),
  )
  await keep(id('half'), [50, 99])
  await keep(
    id('slow'),
    Array.from({ length: 40 }, (_, index) => 85 - index / 60),
  )
  await keep(id('stale'), [99], 26 * 60)
  expect((await listFullDisks(desk.actor, now)).map(({ name, share, days }) => [name, share, days])).toEqual([
    ['alpha', 0.93, null],
    ['filling', 0.85, 8],
  ])
  await db().connection.updateMany({ data: { ownerId: desk.actor.user.id } })
  const other = await desk.team.join('owner')
  expect(await listFullDisks(other, now)).toEqual([])
})
