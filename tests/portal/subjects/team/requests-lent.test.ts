/** Where a place is reached through lent connections alone, what they are not lent for can be asked for too: who lends is notified, and can lend. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { approveAndLend } from '@/lib/portal/subjects/lending/approve-request'
import { lendConnection } from '@/lib/portal/subjects/lending/change'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { askForAccess } from '@/lib/portal/subjects/team/requests/ask'
import { findAskable, findAskableHere } from '@/lib/portal/subjects/team/requests/askable'
import { listOthersRequests, listOwnRequests } from '@/lib/portal/subjects/team/requests/list'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { codeOf, give } from '../../access/grants/scene'
import { lend, openLending } from '../../access/loans/scene'

/** A guest who views the logs of a site through the connection of the operator, or of the owner, which is lent for no more. */
async function openLent({ by = 'operator' }: { by?: 'operator' | 'owner' } = {}) {
  const scene = await openLending({}, by)
  const guest = await scene.team.join('guest')
  const place = { kind: 'site' as const, id: scene.idOf('shop.heron.example'), name: 'shop.heron.example' }
  await give(guest, { kind: 'site', id: place.id }, { subjects: ['logs'] })
  const scope = { kind: 'site' as const, id: place.id }
  await lend(scene, { to: { userId: guest.user.id }, scope, subjects: ['logs'], effects: ['read'] })
  const ask = async (what: string) => {
    const fields = { place: `site ${place.id}`, what, minutes: '60', why: 'It is slow', page: `/sites/${place.id}` }
    const asked = await askForAccess(inputOf(guest, fields))
    if (!asked.ok) throw new Error(JSON.stringify(asked.problem))
    return asked.data.accessRequestId
  }
  const work = { subjects: 'backups', effects: 'read', root: '', where: 'site', placeId: place.id, from: '', until: '', why: '' }
  const approve = (actor: Person, accessRequestId: string, fields: Record<string, string> = {}) =>
    approveAndLend(inputOf(actor, { accessRequestId, ...work, ...fields }))
  const backups = () => codeOf(guest, contract.backups.list, { siteId: place.id })
  return { scene, guest, place, scope, ask, approve, work, backups, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

const bellOf = async (actor: Person) => (await listNotifications(actor)).items.map(({ text, href }) => [text, href])
const asks = 'The guest asks for access to view the backups of shop.heron.example, for 1 hour.'

test('what the connection is not lent for can be asked for; its owner, who may give access, lends it with the approval', async () => {
  await using lent = await openLent({ by: 'owner' })
  const { scene, guest, place, ask, approve, backups } = lent
  const { owner, connectionId } = scene
  const { choices, ceiling } = await findAskableHere(guest, place)
  expect(choices.find(({ id }) => id === 'backups read')).toMatchObject({
    granted: false,
    lenders: ['The owner'],
  })
  expect(ceiling).toBe('')
  const id = await ask('backups read')
  expect(await bellOf(owner)).toEqual([[asks, '/team/requests']])
  const lendable = { id: connectionId, label: 'Robin’s key' }
  expect(await listOthersRequests(owner)).toMatchObject([{ answerable: true, lenders: ['you'], lendable }])
  expect(await approve(owner, id, { lend: connectionId })).toMatchObject({ ok: true })
  expect(await backups()).toBe('ok')
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'approved', lenders: [] }])
  const { entries } = await readActivity(owner, readFilter({}), 'UTC', 50)
  const told = entries.map(({ description }) => description).join('; ')
  expect(told).toContain(`Lent a connection to ${guest.user.email} to view the backups of shop.heron.example`)
  expect(told).toContain(`Approved access for ${guest.user.email} to view the backups of shop.heron.example`)
})

test('an admin who cannot lend approves the access all the same; the page of the asker says whose loan is missing, until it is lent', async () => {
  await using lent = await openLent()
  const { scene, guest, scope, ask, approve, backups } = lent
  await scene.team.connect(scene.upstream, { ownerId: scene.owner.user.id, label: 'The owner’s key' })
  await listSites(scene.owner)
  const id = await ask('backups read')
  const wanted = `${asks} For that, your connection “Robin’s key” has to be lent to them.`
  expect([await bellOf(scene.owner), await bellOf(scene.lender)]).toEqual([
    [[asks, '/team/requests']],
    [[wanted, `/keys/${scene.connectionId}`]],
  ])
  expect(await listOthersRequests(scene.owner)).toMatchObject([{ answerable: true, lenders: ['The operator'], lendable: null }])
  expect(await approve(scene.owner, id)).toMatchObject({ ok: true })
  expect(await backups()).toBe('forbidden')
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'approved', lenders: ['The operator'] }])
  await lend(scene, { to: { userId: guest.user.id }, scope, subjects: ['backups'] })
  expect(await backups()).toBe('ok')
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'approved', lenders: [] }])
})

test('where only the loan is missing, its lender is asked and nobody else, and answers by lending', async () => {
  await using lent = await openLent()
  const { scene, guest, place, ask, work, backups } = lent
  await give(guest, { kind: 'site', id: place.id }, { subjects: ['backups'], effects: ['read'] })
  // No owner or admin sees the site, but none of them has to.
  expect((await findAskableHere(guest, place)).choices.map(({ id, granted }) => [id, granted])).toEqual([['backups read', true]])
  await scene.team.connect(scene.upstream, { ownerId: scene.owner.user.id, label: 'The owner’s key' })
  await listSites(scene.owner)
  await ask('backups read')
  expect([(await bellOf(scene.owner)).length, (await bellOf(scene.lender)).length]).toEqual([0, 1])
  expect(await listOthersRequests(scene.owner)).toMatchObject([{ state: 'open', answerable: false, lenders: ['The operator'] }])
  const other = { connectionId: scene.connectionId, to: `member ${guest.user.id}`, ...work, subjects: 'apps' }
  expect(await lendConnection(inputOf(scene.lender, other))).toMatchObject({ ok: true })
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'open' }])
  expect(await lendConnection(inputOf(scene.lender, { ...other, subjects: 'backups' }))).toMatchObject({ ok: true })
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'approved', answeredBy: 'The operator' }])
  expect((await bellOf(guest)).map(([text]) => text).join(' ')).toContain('The operator approved your request for access')
  expect(await backups()).toBe('ok')
})

test('a lender who does not see the place is not asked, and nothing is lent but what is the approver’s own', async () => {
  await using lent = await openLent({ by: 'owner' })
  const { scene, guest, place, ask, approve, backups } = lent
  const admin = await scene.team.join('admin')
  const id = await ask('backups read')
  const others = await scene.team.connect(scene.upstream, { ownerId: admin.user.id, label: 'Key of the admin' })
  expect(await approve(scene.owner, id, { lend: others })).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await backups()).toBe('forbidden')
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'open' }])
  await db().team.updateMany({ data: { secondPersonFor: 'access' } })
  expect(await listOthersRequests(scene.owner)).toMatchObject([{ answerable: true, lenders: ['you'], lendable: null }])
  expect(await approve(scene.owner, id, { lend: scene.connectionId })).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await db().grant.deleteMany({ where: { userId: scene.owner.user.id } })
  const { choices, ceiling } = await findAskable(guest, place)
  expect(choices.map(({ id }) => id)).toEqual([])
  expect(ceiling).toBe('The connection through which you reach this is not lent for everything here. Ask The owner to lend it for more.')
})

test('a connection of the team or of their own that lists the place takes no loan', async () => {
  await using lent = await openLent()
  const { scene, guest, place } = lent
  await scene.team.connect(scene.upstream, { label: 'Key of the team' })
  await listSites(scene.owner)
  const { choices, ceiling } = await findAskable(guest, place)
  expect([ceiling, choices.flatMap(({ lenders }) => lenders), choices.some(({ id }) => id === 'apps destroy')]).toEqual(['', [], true])
})
