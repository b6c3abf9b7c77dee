/** A day before access ends, those who have it and whoever gave it are notified, once. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { changeAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { raise } from '@/lib/portal/views/home/raise'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { openScene } from './scene'

const hour = 3_600_000

const backups = { subjects: 'backups', effects: 'read', where: 'named', names: 'shop.heron.example, heron-1' }

test('access that ends within a day is announced once to the member and to the giver; extended, it is announced again', async () => {
  await using scene = await openScene()
  const [guest, other] = [await scene.team.join('guest'), await scene.team.join('guest')]
  const start = Date.now()
  const until = new Date(Math.floor(start / 60_000) * 60_000 + 48 * hour)
  const form = { to: `member ${guest.user.id}`, ...backups, until: until.toISOString() }
  const given = await giveAccess(inputOf(scene.owner, form))
  if (!given.ok) throw new Error(JSON.stringify(given.problem))
  const read = async (actor: typeof guest) =>
    (await listNotifications(actor)).items.filter(({ text }) => text.includes(' ends ')).map(({ text, href }) => [text, href])
  await raise(new Date(until.getTime() - 25 * hour))
  expect(await read(guest)).toEqual([])
  await raise(new Date(until.getTime() - 24 * hour))
  await raise(new Date(until.getTime() - 23 * hour))
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const said = (at: Date) => `on ${day.format(at)} at ${at.toISOString().slice(11, 16)} UTC`
  const href = `/team/${guest.user.id}/access`
  const first = (at: Date) => [`Your access to heron-1 and shop.heron.example ends ${said(at)}.`, href]
  expect(await read(guest)).toEqual([first(until)])
  expect(await read(scene.owner)).toEqual([[`The access that you gave to The guest ends ${said(until)}.`, href]])
  expect(await read(other)).toEqual([])
  const later = new Date(until.getTime() + 48 * hour)
  await changeAccess(inputOf(scene.owner, { ...form, grantId: given.data.grantId, until: later.toISOString() }))
  await raise(new Date(until.getTime() - 23 * hour))
  expect((await read(guest)).length).toBe(1)
  await raise(new Date(later.getTime() - hour))
  expect(await read(guest)).toContainEqual(first(later))
})

test('access for an hour, and access that has ended, is not announced', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const until = new Date(Date.now() + hour).toISOString()
  await giveAccess(inputOf(scene.owner, { to: `member ${guest.user.id}`, ...backups, until }))
  await raise()
  await raise(new Date(Date.now() + 2 * hour))
  expect(await db().notification.count({ where: { kind: 'access_ending' } })).toBe(0)
})
