import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { readNight } from '@/lib/portal/views/home/night'
import { give, openScene } from '@/tests/portal/access/grants/scene'
import { createTeam } from '@/tests/support/portal-team'

const noon = Date.parse('2026-11-27T12:00:00Z')
const at = (time: string) => new Date(`2026-11-${time}Z`)

type Scene = Awaited<ReturnType<typeof openScene>>

async function addEvent({ team, idOf }: Scene, operation: string, server: string, time: string, state: 'done' | 'failed' = 'done') {
  const id = createOpaqueId()
  const times = { startedAt: at(time), heardAt: at(time), endedAt: at(time) }
  const about = { serverId: idOf(server), serverEvent: id, targetName: server }
  await db().job.create({ data: { id, teamId: team.id, operation, ...about, ...times, state, lease: '' } })
}

async function notified({ user, team }: Person, kind: 'new_device' | 'server_unreachable', time: string, serverId?: string) {
  const subject = serverId === undefined ? {} : { subjectKind: 'server' as const, subjectId: serverId }
  const row = { id: createOpaqueId(), teamId: team.id, userId: user.id, kind, onceKey: createOpaqueId(), ...subject }
  await db().notification.create({ data: { ...row, detail: JSON.stringify({ device: 'Firefox on Linux' }), createdAt: at(time) } })
}

const titles = async (actor: Person, now = noon) => (await readNight(actor, 'UTC', now)).marks.map(({ kind, title }) => [kind, title])

test('what happened from evening to morning is shown, not what was before or after', async () => {
  await using scene = await openScene()
  await addEvent(scene, 'event.backup', 'heron-1', '26T19:59:59')
  await addEvent(scene, 'event.updates', 'heron-1', '26T20:00:00')
  await addEvent(scene, 'event.backup', 'heron-1', '27T02:00:00', 'failed')
  await addEvent(scene, 'event.reboot', 'otter-1', '27T07:59:59')
  await addEvent(scene, 'event.backup', 'otter-1', '27T08:00:00')
  expect(await titles(scene.owner)).toEqual([
    ['updates', 'Automatic updates on heron-1'],
    ['failure', 'Nightly backup of heron-1 failed.'],
    ['reboot', 'Reboot of otter-1'],
  ])
  expect(await readNight(scene.owner, 'UTC', noon)).toMatchObject({
    from: '2026-11-26T20:00:00.000Z',
    to: '2026-11-27T08:00:00.000Z',
    isCut: false,
    since: expect.any(String),
  })
})

test('a guest sees what happened on servers of their grants, and there what the grants are about', async () => {
  await using scene = await openScene()
  for (const server of ['heron-1', 'otter-1']) {
    await addEvent(scene, 'event.backup', server, '27T01:00:00')
    await addEvent(scene, 'event.reboot', server, '27T02:00:00')
  }
  const guest = await scene.team.join('guest')
  expect(await readNight(guest, 'UTC', noon)).toMatchObject({ marks: [], since: null })
  await give(guest, { kind: 'server', id: scene.idOf('heron-1') }, { subjects: ['servers'] })
  expect(await titles(guest)).toEqual([['reboot', 'Reboot of heron-1']])
  await give(guest, { kind: 'server', id: scene.idOf('heron-1') })
  expect(await titles(guest)).toEqual([
    ['backup', 'Nightly backup of heron-1'],
    ['reboot', 'Reboot of heron-1'],
  ])
  await notified(guest, 'server_unreachable', '27T03:00:00', scene.idOf('otter-1'))
  await notified(guest, 'server_unreachable', '27T04:00:00', scene.idOf('heron-1'))
  expect(await titles(guest)).toContainEqual(['outage', 'heron-1 became unreachable.'])
  expect(JSON.stringify(await readNight(guest, 'UTC', noon))).not.toContain('otter')
})

test('sign-ins from new browsers are shown to the member, and those of others to who may read Activity; not those of another team', async () => {
  await using scene = await openScene()
  const [viewer, guest, operator] = [await scene.team.join('viewer'), await scene.team.join('guest'), await scene.team.join('operator')]
  await notified(operator, 'new_device', '27T05:00:00')
  expect(await titles(operator)).toEqual([['signIn', 'You signed in from a new browser: Firefox on Linux.']])
  expect(await titles(viewer)).toEqual([['signIn', 'The operator signed in from a new browser: Firefox on Linux.']])
  expect(await titles(guest)).toEqual([])
  expect(await titles(await (await createTeam('Others')).join('owner'))).toEqual([])
})
