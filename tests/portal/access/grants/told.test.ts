/** Members learn in the bell that access was given to them, changed or ended; borrowers and lenders learn of loans. */
import { expect, test } from 'vitest'
import type { Person } from '@/lib/portal/identity/actor'
import { changeLoan, endLoan, lendConnection } from '@/lib/portal/subjects/lending/change'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { raise } from '@/lib/portal/views/home/raise'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { openLending } from '../loans/scene'
import { openScene } from './scene'

const hour = 3_600_000
const backups = {
  subjects: 'backups',
  effects: 'read',
  root: '',
  where: 'named',
  names: 'shop.heron.example',
  from: '',
  until: '',
  why: '',
}

/** The oldest first. */
const told = async (actor: Person) => (await listNotifications(actor)).items.map(({ text, href }) => [text, href]).reverse()

const atHour = (hours: number) => new Date((Math.floor(Date.now() / hour) + hours) * hour)

function say(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return `${day} at ${at.toISOString().slice(11, 16)} UTC`
}

test('a member learns of access that is given, changed and ended, by whom and for how long; nobody else does', async () => {
  await using scene = await openScene()
  const [guest, other] = [await scene.team.join('guest'), await scene.team.join('guest')]
  const [from, until] = [atHour(2), atHour(4)]
  const form = { to: `member ${guest.user.id}`, ...backups, from: from.toISOString(), until: until.toISOString() }
  const given = await giveAccess(inputOf(scene.owner, form))
  const grantId = given.ok ? given.data.grantId : ''
  await changeAccess(inputOf(scene.owner, { ...form, grantId, from: '', until: '', effects: 'read,change' }))
  await endAccess(inputOf(scene.owner, { grantId }))
  const href = `/team/${guest.user.id}/access`
  expect(await told(guest)).toEqual([
    [`The owner gave you access to view the backups of shop.heron.example, from ${say(from)} until ${say(until)}.`, href],
    ['The owner changed access of yours: you can view and change the backups of shop.heron.example.', href],
    ['The owner ended your access to view and change the backups of shop.heron.example.', href],
  ])
  expect([await told(other), await told(scene.owner)]).toEqual([[], []])
  expect(await giveAccess(inputOf(scene.owner, { ...form, to: 'member nobody' }))).toMatchObject({ ok: false })
  expect((await told(guest)).length).toBe(3)
})

test('access of a role is announced to each member who has it, with their own page, but not to whoever gave it', async () => {
  await using scene = await openScene()
  const [admin, other, guest] = [await scene.team.join('admin'), await scene.team.join('admin'), await scene.team.join('guest')]
  await giveAccess(inputOf(admin, { to: 'role admin', ...backups }))
  expect(await told(other)).toEqual([
    ['The admin gave you access to view the backups of shop.heron.example.', `/team/${other.user.id}/access`],
  ])
  expect([await told(admin), await told(guest)]).toEqual([[], []])
})

test('borrowers learn of a loan, of its change and its end, without names of servers and sites; the lender learns who else ended it', async () => {
  await using scene = await openLending()
  const { lender, connectionId } = scene
  const [viewer, other] = [await scene.team.join('viewer'), await scene.team.join('guest')]
  const until = atHour(4)
  const lent = await lendConnection(inputOf(lender, { connectionId, to: `member ${viewer.user.id}`, ...backups }))
  const loanId = lent.ok ? lent.data.loanId : ''
  await changeLoan(inputOf(lender, { loanId, ...backups, until: until.toISOString() }))
  await endLoan(inputOf(scene.owner, { loanId }))
  const ended = ['The owner ended the loan of the connection “Robin’s key”.', '/keys']
  expect(await told(viewer)).toEqual([
    ['The operator lent you the connection “Robin’s key”.', '/keys'],
    [`The operator changed what you can use the connection “Robin’s key” for, until ${say(until)}.`, '/keys'],
    ended,
  ])
  expect(await told(lender)).toEqual([ended])
  expect([await told(other), await told(scene.owner)]).toEqual([[], []])
})

test('a day before a loan ends, borrowers and the lender are notified once; extended, they are notified again', async () => {
  await using scene = await openLending()
  const { lender, connectionId } = scene
  const viewer = await scene.team.join('viewer')
  const until = atHour(48)
  const form = { ...backups, until: until.toISOString() }
  const lent = await lendConnection(inputOf(lender, { connectionId, to: 'role viewer', ...form }))
  const before = (hours: number) => new Date(until.getTime() - hours * hour)
  await raise(before(25))
  expect((await told(viewer)).length).toBe(1)
  await raise(before(24))
  await raise(before(23))
  const label = 'the connection “Robin’s key”'
  expect((await told(viewer)).slice(1)).toEqual([[`The loan of ${label} to you ends on ${say(until)}.`, '/keys']])
  expect(await told(lender)).toEqual([[`The loan of ${label} to everyone with the role viewer ends on ${say(until)}.`, '/keys']])
  const later = new Date(until.getTime() + 48 * hour)
  await changeLoan(inputOf(lender, { loanId: lent.ok ? lent.data.loanId : '', ...backups, until: later.toISOString() }))
  await raise(before(23))
  expect((await told(lender)).length).toBe(1)
  await raise(new Date(later.getTime() - hour))
  expect((await told(lender)).at(-1)).toEqual([`The loan of ${label} to everyone with the role viewer ends on ${say(later)}.`, '/keys'])
})
