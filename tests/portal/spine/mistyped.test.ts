/** A link to what is nowhere is a mistake and no refusal; one to what others have is refused, in the same words. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { findJob } from '@/lib/portal/jobs/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { listedId } from './desk'

const absent = 'AAAAAAAAAAAAAAAAAAAAAA'

const look = async (actor: Actor, id: string) => [
  await findServer(actor, id),
  await findJob(actor, id),
  JSON.stringify(await runOperation(actor, contract.servers.summary, { serverId: id })),
  JSON.stringify(await runOperation(actor, contract.sites.summary, { siteId: id })),
]

const results = async (actor: Actor) => (await readActivity(actor, readFilter({}), 'UTC')).entries.map(({ result }) => result)

test('a mistyped address, or one of something deleted, is not logged', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const owner = await team.join('owner')
  await team.connect(upstream)
  const gone = await listedId(owner, 'alpha')
  await db().server.update({ where: { id: gone }, data: { goneAt: new Date() } })
  const answers = [await look(owner, absent), await look(owner, 'mistyped'), await look(owner, '../../x'), await look(owner, gone)]
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toEqual([null, null, expect.stringContaining('not_found'), expect.stringContaining('not_found')])
  expect(await db().auditRow.count()).toBe(0)
})

test('security 3: requests for another team’s rows are logged, and neither the answer nor their own audit log distinguishes them from a mistake', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const [theirs, ours] = [await createTeam('Theirs'), await createTeam('Ours')]
  const [owner, mate, stranger] = [await theirs.join('owner'), await theirs.join('viewer'), await ours.join('owner')]
  await theirs.connect(upstream, { ownerId: owner.user.id })
  const id = await listedId(owner, 'alpha')
  expect(await look(stranger, id)).toEqual(await look(stranger, absent))
  expect(await results(stranger)).toEqual([])
  const rows = () => db().auditRow.findMany({ where: { outcome: 'denied' }, select: { actorId: true, teamId: true, objectId: true } })
  expect(await rows()).toEqual([{ actorId: stranger.user.id, teamId: null, objectId: id }])
  // The portal was set up by the first team: its owner reads what belongs to none.
  expect(await results(owner)).toEqual(['denied'])
  // A change is an attempt whatever it names.
  await runOperation(stranger, contract.servers.update, { serverId: absent }, { name: 'x', dns: '' })
  await runOperation(stranger, contract.servers.update, { serverId: id }, { name: 'x', dns: '' })
  expect(await results(stranger)).toEqual(['denied', 'denied'])
  await look(mate, id)
  expect((await rows()).at(-1)).toEqual({ actorId: mate.user.id, teamId: theirs.id, objectId: id })
})
