/** Mails about requests for access go by a channel that each member has at first, which tries again. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { changeChannel, removeChannel } from '@/lib/portal/delivery/change'
import { listChannels } from '@/lib/portal/delivery/view'
import type { Person } from '@/lib/portal/identity/actor'
import { refuseRequest } from '@/lib/portal/subjects/team/requests/answer'
import { askForAccess, withdrawRequest } from '@/lib/portal/subjects/team/requests/ask'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { startMailServer } from '@/tests/support/mail-server'
import { inputOf } from '@/tests/support/own-input'
import { give, openScene } from '../access/grants/scene'
import { add, entriesOf, hour, minute, startClock, tell, withoutEntry } from './scene'

const settingsOf = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'gatehouse@example.org', PUBLIC_URL: 'https://portal.example' })

async function openAsking(environment: Record<string, string>) {
  const scene = await openScene(environment)
  const [admin, guest, operator] = [await scene.team.join('admin'), await scene.team.join('guest'), await scene.team.join('operator')]
  const siteId = scene.idOf('shop.heron.example')
  await give(guest, { kind: 'site', id: siteId }, { subjects: ['backups'], effects: ['read'] })
  const ask = async () => {
    const fields = { place: `site ${siteId}`, what: 'logs read', minutes: '60', why: 'It is slow', page: `/sites/${siteId}/logs` }
    const asked = await askForAccess(inputOf(guest, fields))
    return asked.ok ? asked.data.accessRequestId : ''
  }
  return { scene, owner: scene.owner, admin, guest, operator, siteId, ask, clock: startClock() }
}

const channelsOf = async (actor: Person) => (await listChannels(actor)).map(({ kind, label, topics }) => [kind, label, ...topics])

test('security 20: a mail server that is down for an hour loses no mail: who can approve and who asked get each once', async () => {
  await using mails = await startMailServer({ refuses: true })
  const { scene, owner, admin, guest, operator, siteId, ask, clock } = await openAsking(settingsOf(mails.url))
  await using _ = scene
  const id = await ask()
  await clock.pass(hour)
  expect(mails.received).toEqual([])
  mails.refuse(false)
  await clock.pass(2 * hour)
  expect(mails.received.map(({ to }) => to).sort()).toEqual([owner.user.email, admin.user.email].sort())
  for (const { text } of mails.received) {
    expect(text).toContain('The guest asks for access to view the logs of shop.heron.example, for 1 hour.')
    expect(text).toContain('https://portal.example/team/requests')
  }
  expect(await refuseRequest(inputOf(admin, { accessRequestId: id, reason: 'Not on a Friday' }))).toMatchObject({ ok: true })
  await clock.pass(3 * minute)
  const answers = mails.received.slice(2)
  // Whoever else could have answered need not look any more.
  expect(answers.map(({ to }) => to).sort()).toEqual([owner.user.email, guest.user.email].sort())
  const answer = answers.find(({ to }) => to === guest.user.email)
  expect(answer?.text).toContain('Not on a Friday')
  expect(answer?.text).toContain(`https://portal.example/sites/${siteId}/logs`)
  expect(await channelsOf(operator)).toEqual([])
  expect(await channelsOf(admin)).toEqual([['mail', 'Mail', 'approvals']])
  const { entries } = await readActivity(owner, readFilter({}), 'UTC', 100)
  expect(entries.filter(({ description }) => description.includes('channel')).length).toBeGreaterThan(0)
})

test('the channel is the member’s: changed it does what it was changed to, and removed it is not made again', async () => {
  await using mails = await startMailServer()
  const { scene, owner, admin, guest, ask, clock } = await openAsking(settingsOf(mails.url))
  await using _ = scene
  const id = await ask()
  await clock.pass(3 * minute)
  expect(mails.received).toHaveLength(2)
  const [[ownersId = ''], [adminsId = '']] = [await idsOf(owner), await idsOf(admin)]
  expect(await removeChannel(inputOf(owner, { channelId: ownersId }))).toMatchObject({ ok: true })
  const changed = { channelId: adminsId, label: 'Mail', topics: 'servers', timeZone: 'UTC' }
  expect(await changeChannel(inputOf(admin, changed))).toMatchObject({ ok: true })
  expect(await withdrawRequest(inputOf(guest, { accessRequestId: id }))).toMatchObject({ ok: true })
  expect(await ask()).not.toBe('')
  await clock.pass(3 * minute)
  expect(mails.received).toHaveLength(2)
  expect([await channelsOf(owner), await channelsOf(admin)]).toEqual([[], [['mail', 'Mail', 'servers']]])
})

const idsOf = async (actor: Person) => (await listChannels(actor)).map(({ id }) => id)

test('it is not set up for other events, where a mail channel sends approvals already, or before there is a mail server', async () => {
  await using mails = await startMailServer()
  {
    const { scene, owner, admin, ask, clock } = await openAsking(settingsOf(mails.url))
    await using _ = scene
    await tell(owner, clock, 'Harbour')
    await clock.pass(2 * minute)
    expect(await channelsOf(owner)).toEqual([])
    await add(admin, { kind: 'mail' })
    await ask()
    await clock.pass(3 * minute)
    expect((await channelsOf(admin)).map(([, label]) => label)).toEqual(['Pager'])
    expect(mails.received.filter(({ to }) => to === admin.user.email)).toHaveLength(1)
  }
  const { scene, ask, clock } = await openAsking({})
  await using _ = scene
  await ask()
  await clock.pass(3 * minute)
  expect([await db().channel.count(), await db().membership.count({ where: { firstMailAt: { not: null } } })]).toEqual([0, 0])
})

test('the entries that a channel was set up and that its mail was accepted follow after a process that ended before writing them', async () => {
  await using mails = await startMailServer()
  const { scene, ask, clock } = await openAsking(settingsOf(mails.url))
  await using _ = scene
  await ask()
  await withoutEntry('channel.add', () => clock.pass(minute))
  expect(await entriesOf('channel.add')).toBe(0)
  await withoutEntry('channel.deliver', () => clock.pass(minute))
  expect([mails.received.length, await entriesOf('channel.add'), await entriesOf('channel.deliver')]).toEqual([2, 2, 0])
  await clock.pass(10 * minute)
  expect([await db().channel.count(), await entriesOf('channel.add'), await entriesOf('channel.deliver')]).toEqual([2, 2, 2])
  expect(await db().delivery.count({ where: { state: 'done' } })).toBe(2)
  // Each mail went out again, once: what follows a failure waits longer, and is not repeated after an entry.
  expect(mails.received).toHaveLength(4)
})
