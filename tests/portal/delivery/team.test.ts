/** Channels of the team: who may keep them, and that they show what the member sees who set them up. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { addChannel, changeChannel, removeChannel, takeOverChannel, testChannel, turnChannel } from '@/lib/portal/delivery/change'
import { listChannels, listTeamChannels } from '@/lib/portal/delivery/view'
import { notify } from '@/lib/portal/notifications/notify'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { add, everyTopic, hour, limitTo, minute, startClock, tell } from './scene'
import { createServer } from './servers'

test('only who may change the team keeps its channels, and nobody’s own channel is among them', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  const fields = { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team`, label: 'Chat', topics: everyTopic, timeZone: 'UTC' }
  expect(await addChannel(inputOf(operator, fields))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const { channelId } = await add(owner, fields)
  await add(owner, { kind: 'webhook', url: `${receiver.origin}/own` })
  expect(await listTeamChannels(operator)).toEqual([])
  expect(await listTeamChannels(admin)).toMatchObject([{ label: 'Chat', seesAs: { name: 'The owner', self: false } }])
  expect(await listChannels(owner)).toMatchObject([{ label: 'Pager', seesAs: null }])
  for (const act of [testChannel, changeChannel, takeOverChannel, removeChannel])
    expect(await act(inputOf(operator, { ...fields, channelId }))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await testChannel(inputOf(admin, { channelId }))).toMatchObject({ ok: true, data: { ok: true } })
  expect(await changeChannel(inputOf(admin, { ...fields, channelId, label: 'Room' }))).toMatchObject({ ok: true })
  expect(await removeChannel(inputOf(admin, { channelId }))).toMatchObject({ ok: true })
})

test('it sends nothing personal, and nothing about a member’s own connection', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  await using upstream = await startUpstream({})
  const team = await createTeam()
  const [owner, clock] = [await team.join('owner'), startClock()]
  await add(owner, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  const own = await team.connect(upstream, { ownerId: owner.user.id, label: 'Private' })
  await tell(owner, clock, '', { kind: 'new_device', detail: { device: 'Lynx' } })
  await db().notification.create({
    data: {
      id: 'about-own',
      teamId: team.id,
      userId: owner.user.id,
      kind: 'key_refused',
      onceKey: 'x',
      detail: '{"label":"Private"}',
      subjectKind: 'connection',
      subjectId: own,
      createdAt: clock.now(),
    },
  })
  await tell(owner, clock, 'Shared')
  await clock.pass(2 * minute)
  expect(receiver.received).toHaveLength(1)
  expect(receiver.received[0]?.body).toContain('Shared')
  expect(receiver.received[0]?.body).not.toMatch(/Private|Lynx/)
})

test('it sends no answer to what one member asked for, and nothing about a connection that is gone, which may have been their own', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, clock] = [await team.join('owner'), startClock()]
  await add(owner, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  await add(owner, { kind: 'webhook', url: `${receiver.origin}/own` })
  await tell(owner, clock, '', { kind: 'access_answered', detail: { answer: 'approved', by: 'Robin', about: 'read logs' } })
  await tell(owner, clock, '', { kind: 'approval_decided', detail: { outcome: 'refused', who: 'Robin', what: 'Delete web-1' } })
  await tell(owner, clock, '', { kind: 'approval_wanted', detail: { who: 'Robin', what: 'Restart web-2' } })
  const subject = { kind: 'connection', id: 'gone' } as const
  const frozen = { kind: 'key_frozen', onceKey: 'gone', detail: { label: 'Private', by: 'Robin' }, at: clock.now() } as const
  await notify({ teamId: team.id, userIds: [owner.user.id], subject, ...frozen })
  await clock.pass(2 * minute)
  const kindsOf = (path: string) =>
    receiver.received
      .filter((got) => got.path === path)
      .flatMap(({ body }): { kind: string }[] => JSON.parse(body).events)
      .map(({ kind }) => kind)
  expect(kindsOf('/team')).toEqual(['approval_wanted'])
  expect(kindsOf('/own').toSorted()).toEqual(['access_answered', 'approval_decided', 'approval_wanted', 'key_frozen'])
})

test('who does not decide what it shows cannot make it send more, but less', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  const fields = { keeper: 'team', kind: 'webhook', url: 'https://hooks.example/in', label: 'Chat', timeZone: 'UTC' }
  const { channelId } = await add(owner, { ...fields, topics: 'servers,disks' })
  const change = (actor: typeof owner, more: Record<string, string>) => changeChannel(inputOf(actor, { ...fields, channelId, ...more }))
  const refused = { ok: false, problem: { code: 'forbidden', sentence: 'It sends what another member can see. Take it over first.' } }
  expect(await change(admin, { topics: 'servers,disks,jobs' })).toMatchObject(refused)
  expect(await change(admin, { topics: 'servers', digestAt: '07:00' })).toMatchObject(refused)
  expect(await change(admin, { topics: 'servers', quietFrom: '22:00', quietTo: '07:00' })).toMatchObject({ ok: true })
  expect(await change(owner, { topics: 'servers', digestAt: '07:00' })).toMatchObject({ ok: true })
  expect(await change(admin, { topics: 'servers', digestAt: '08:00' })).toMatchObject({ ok: true })
  const turn = (actor: typeof owner, on: 'yes' | 'no') => turnChannel(inputOf(actor, { channelId, on }))
  expect(await turn(admin, 'no')).toMatchObject({ ok: true })
  expect(await turn(admin, 'yes')).toMatchObject(refused)
  expect(await listTeamChannels(owner)).toMatchObject([{ topics: ['servers'], digestAt: '08:00', off: 'member' }])
  expect(await takeOverChannel(inputOf(admin, { channelId }))).toMatchObject({ ok: true })
  expect(await turn(owner, 'yes')).toMatchObject(refused)
  expect(await turn(admin, 'yes')).toMatchObject({ ok: true })
  expect(await change(admin, { topics: 'servers,jobs', digestAt: '08:00' })).toMatchObject({ ok: true })
})

test('when whoever set it up has left, it sends nothing until another member takes it over, who then sends what waited and what they see', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, clock] = [await team.join('owner'), await team.join('admin'), startClock()]
  const { channelId, secret } = await add(admin, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  const tellBoth = (label: string) => tell(admin, clock, label, { others: [owner] })
  await tell(admin, clock, 'Only for the admin')
  await tellBoth('Before')
  await db().membership.deleteMany({ where: { userId: admin.user.id } })
  await clock.pass(2 * minute)
  await tell(owner, clock, 'Meanwhile')
  await clock.pass(2 * minute)
  expect(receiver.received).toHaveLength(0)
  expect(await listTeamChannels(owner)).toMatchObject([{ seesAs: { name: null }, deliveries: [{ state: 'waiting', attempts: 0 }] }])
  for (const act of [testChannel, turnChannel])
    expect(await act(inputOf(owner, { channelId, on: 'yes' }))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await takeOverChannel(inputOf(owner, { channelId }))).toMatchObject({ ok: true })
  await tell(owner, clock, 'After')
  await clock.pass(4 * minute)
  const sent = receiver.received.flatMap(({ body }): { text: string }[] => JSON.parse(body).events).map(({ text }) => text)
  expect(sent).toEqual(['Before', 'Meanwhile', 'After'].map((label) => `Robin froze the connection “${label}”.`))
  expect(receiver.received[0]?.headers['gatehouse-signature']).toBeDefined()
  expect(secret).toHaveLength(43)
})

test('a channel whose member has left forgets what it kept after a week: who takes it over then sends only what came later', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, clock] = [await team.join('owner'), await team.join('admin'), startClock()]
  const { channelId } = await add(admin, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  await db().membership.deleteMany({ where: { userId: admin.user.id } })
  await tell(owner, clock, 'In a message')
  await clock.pass(2 * minute)
  await tell(owner, clock, 'In none')
  await clock.pass(10 * minute)
  await clock.pass(6 * 24 * hour, hour)
  expect(await db().deliveryItem.count({ where: { channelId } })).toBe(2)
  await clock.pass(25 * hour, hour)
  expect([await db().deliveryItem.count({ where: { channelId } }), await db().delivery.count({ where: { channelId } })]).toEqual([0, 0])
  await tell(owner, clock, 'Later')
  expect(await takeOverChannel(inputOf(owner, { channelId }))).toMatchObject({ ok: true })
  await clock.pass(4 * minute)
  const sent = receiver.received.flatMap(({ body }): { text: string }[] => JSON.parse(body).events).map(({ text }) => text)
  expect(sent).toEqual(['Robin froze the connection “Later”.'])
})

test('what waits for a failing receiver is sent after the takeover once, as far as the new member sees it', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, clock] = [await team.join('owner'), await team.join('admin'), startClock()]
  const [seen, hidden] = [await createServer(team.id, 'web-seen'), await createServer(team.id, 'web-hidden')]
  const { channelId } = await add(owner, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  receiver.answer(500)
  const tellBoth = (serverId: string, name: string) =>
    tell(owner, clock, '', { kind: 'disk_full_soon', serverId, detail: { name }, others: [admin] })
  await tellBoth(seen, 'web-seen')
  await tellBoth(hidden, 'web-hidden')
  await clock.pass(2 * minute)
  await tellBoth(seen, 'web-seen, again')
  await clock.pass(2 * minute)
  await limitTo(admin, seen)
  expect(await takeOverChannel(inputOf(admin, { channelId }))).toMatchObject({ ok: true })
  receiver.received.length = 0
  receiver.answer(200)
  await clock.pass(hour)
  const sent = receiver.received.flatMap(({ body }): { text: string }[] => JSON.parse(body).events).map(({ text }) => text)
  expect(sent).toEqual(['The disk of web-seen is nearly full.', 'The disk of web-seen, again is nearly full.'])
})

test('that it was turned off is announced to everybody who may turn it on again', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, operator, clock] = [await team.join('owner'), await team.join('admin'), await team.join('operator'), startClock()]
  await add(owner, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  receiver.answer(500)
  await tell(owner, clock, 'One')
  await clock.pass(30 * hour, 20 * minute)
  for (const actor of [owner, admin])
    expect((await listNotifications(actor)).items[0]).toMatchObject({
      text: expect.stringMatching(/^Gatehouse turned off the channel “Pager”/),
      href: '/team/channels',
    })
  expect((await listNotifications(operator)).items).toEqual([])
})

test('a member’s own channels and their secrets go with the membership', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('operator')
  await add(actor, { kind: 'webhook', url: 'https://hooks.example/in' })
  await db().membership.deleteMany({ where: { userId: actor.user.id } })
  expect(await db().channel.count()).toBe(0)
})
