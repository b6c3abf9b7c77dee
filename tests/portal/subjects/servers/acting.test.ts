/** Which connection a server's page names as the one that is used. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('it is named if the user has a choice of two that can be used: not of one, a frozen one, or somebody else’s', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('operator'), await team.join('operator')]
  await team.connect(upstream, { label: 'Shared' })
  const serverId = (await listServers(ann)).servers[0]?.id ?? ''
  const shown = async (actor: Actor) => {
    const row = await findServer(actor, serverId)
    return [row?.acting, row?.connectionLabel]
  }
  expect(await shown(ann)).toEqual([null, 'Shared'])
  const own = await team.connect(upstream, { label: 'Own', ownerId: ann.user.id })
  await listServers(ann)
  expect(await shown(ann)).toEqual(['Own', 'Own'])
  expect(await shown(bob)).toEqual([null, 'Shared'])
  await db().connection.update({ where: { id: own }, data: { frozenAt: new Date() } })
  expect(await shown(ann)).toEqual([null, 'Shared'])
  await team.connect(upstream, { label: 'Spare' })
  await listServers(ann)
  const [acting, label] = await shown(ann)
  expect(['Shared', 'Spare']).toContain(acting)
  expect(label).toBe(acting)
})
