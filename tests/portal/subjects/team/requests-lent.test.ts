/** Where a place is reached through lent connections alone, only what they are lent for can be asked for. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { askForAccess } from '@/lib/portal/subjects/team/requests/ask'
import { findAskable, findAskableHere } from '@/lib/portal/subjects/team/requests/askable'
import { inputOf } from '@/tests/support/own-input'
import { codeOf, give } from '../../access/grants/scene'
import { lend, openLending } from '../../access/loans/scene'

/** A guest who views the logs of a site through the operator's connection, which is lent for the backups too. */
async function openLent() {
  const scene = await openLending()
  const guest = await scene.team.join('guest')
  const place = { kind: 'site' as const, id: scene.idOf('shop.heron.example'), name: 'shop.heron.example' }
  await give(guest, { kind: 'site', id: place.id }, { subjects: ['logs'] })
  const scope = { kind: 'site' as const, id: place.id }
  await lend(scene, { to: { userId: guest.user.id }, scope, subjects: ['logs', 'backups'], effects: ['read', 'change'] })
  const ask = (what: string) =>
    askForAccess(inputOf(guest, { place: `site ${place.id}`, what, minutes: '60', why: 'It is slow', page: `/sites/${place.id}` }))
  return { scene, guest, place, scope, ask, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

const notLent =
  'You reach this through a connection of The operator, which is not lent to you for everything here. Ask The operator to lend it for more.'

test('what the connection is not lent for cannot be asked for, and the form names whose connection it is', async () => {
  await using lent = await openLent()
  const { scene, guest, place, scope, ask } = lent
  const { choices, ceiling } = await findAskable(guest, place)
  expect(choices.map(({ id }) => id).sort()).toEqual(['backups change', 'backups read'])
  expect(choices.find(({ id }) => id === 'backups change')).toMatchObject({ effects: ['read', 'change'] })
  expect(ceiling).toBe(notLent)
  expect(await ask('apps destroy')).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { what: notLent } } })
  expect(await ask('nothing read')).toMatchObject({ ok: false, problem: { fields: { what: expect.not.stringContaining('The operator') } } })
  expect(await db().accessRequest.count()).toBe(0)
  // The lender lends more: then it can be asked for.
  await lend(scene, { to: { userId: guest.user.id }, scope, subjects: ['apps'], effects: ['read', 'change', 'destroy'] })
  expect((await findAskable(guest, place)).choices.map(({ id }) => id)).toContain('apps destroy')
})

test('what can be asked for can be done once it is approved', async () => {
  await using lent = await openLent()
  const { scene, guest, place, ask } = lent
  const backups = () => codeOf(guest, contract.backups.list, { siteId: place.id })
  await scene.team.connect(scene.upstream, { ownerId: scene.owner.user.id, label: 'The owner’s key' })
  await listSites(scene.owner)
  expect((await findAskableHere(guest, place)).choices.map(({ id }) => id)).toContain('backups read')
  const asked = await ask('backups read')
  const accessRequestId = asked.ok ? asked.data.accessRequestId : ''
  expect(await backups()).toBe('forbidden')
  const access = { subjects: 'backups', effects: 'read', root: '', where: 'site', placeId: place.id, from: '', until: '', why: '' }
  expect(await approveRequest(inputOf(scene.owner, { accessRequestId, ...access }))).toMatchObject({ ok: true })
  expect(await backups()).toBe('ok')
})

test('a connection of the team or of their own that lists the place sets no such limit', async () => {
  await using lent = await openLent()
  const { scene, guest, place } = lent
  expect((await findAskable(scene.lender, place)).notLent).toEqual([])
  await scene.team.connect(scene.upstream, { label: 'Key of the team' })
  await listSites(scene.owner)
  const { choices, ceiling, notLent: ids } = await findAskable(guest, place)
  expect([ceiling, ids, choices.some(({ id }) => id === 'apps destroy')]).toEqual(['', [], true])
})

test('whoever has access to everything is told as well that the rest is not lent', async () => {
  await using lent = await openLent()
  const { scene, place, scope } = lent
  const operator = await scene.team.join('operator')
  await lend(scene, { to: { userId: operator.user.id }, scope, subjects: ['logs'] })
  expect(await findAskableHere(operator, place)).toMatchObject({ choices: [], ceiling: expect.stringContaining(notLent) })
})
