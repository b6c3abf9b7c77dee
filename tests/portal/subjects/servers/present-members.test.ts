/** Who else is looking at a server. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findPresentUsers, recordPresence } from '@/lib/portal/base/presence'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { findPresentMembers } from '@/lib/portal/subjects/servers/present-members'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('others who look at it now are named, oneself and former members are not; a stranger gets not_found and leaves no trace', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  await team.connect(upstream)
  const serverId = (await listServers(owner)).servers[0]?.id ?? ''
  expect(await findPresentMembers(owner, serverId)).toEqual({ ok: true, data: [] })
  expect(await findPresentMembers(viewer, serverId)).toEqual({ ok: true, data: [{ id: owner.user.id, name: 'The owner' }] })
  expect(await findPresentMembers(owner, serverId)).toMatchObject({ data: [{ name: 'The viewer' }] })
  const stranger = await (await createTeam('Theirs')).join('owner')
  expect(await findPresentMembers(stranger, serverId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await db().membership.deleteMany({ where: { userId: viewer.user.id } })
  expect(await findPresentMembers(owner, serverId)).toEqual({ ok: true, data: [] })
})

test('presence counts for a minute', async () => {
  await using _ = await openPortalDatabase()
  recordPresence('a-server', 'somebody', 0)
  expect(findPresentUsers('a-server', 59_999)).toEqual(['somebody'])
  expect(findPresentUsers('a-server', 60_000)).toEqual([])
})
