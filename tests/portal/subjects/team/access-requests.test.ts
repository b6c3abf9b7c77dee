/** Members ask for access that is missing; others approve it for a time, change it or refuse it, and only one answer counts. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { changeRole, disableMember, removeMember } from '@/lib/portal/subjects/team/change-member'
import { approveRequest, refuseRequest } from '@/lib/portal/subjects/team/requests/answer'
import { askForAccess, limits, withdrawRequest } from '@/lib/portal/subjects/team/requests/ask'
import { findAskable } from '@/lib/portal/subjects/team/requests/askable'
import { closeStale } from '@/lib/portal/subjects/team/requests/close'
import { countAnswerable, listOthersRequests, listOwnRequests } from '@/lib/portal/subjects/team/requests/list'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { codeOf as codeOfRun, give, openScene } from '../../access/grants/scene'

const hourMs = 3_600_000
const inAnHour = () => new Date(Date.now() + hourMs).toISOString()

type Result = { ok: true } | { ok: false; problem: { code: string; sentence: string; fields?: Record<string, string> } }
const codeOf = (outcome: Result) => (outcome.ok ? 'ok' : outcome.problem.code)
const fieldsOf = (outcome: Result) => (outcome.ok ? {} : (outcome.problem.fields ?? {}))

/** A guest who views the backups of a site, and an admin. */
async function openRequests() {
  const scene = await openScene()
  const [admin, guest] = [await scene.team.join('admin'), await scene.team.join('guest')]
  const siteId = scene.idOf('shop.heron.example')
  await give(guest, { kind: 'site', id: siteId }, { subjects: ['backups'], effects: ['read'] })
  const push = { place: `site ${siteId}`, what: 'apps destroy', minutes: '60', why: 'The new shop goes live', page: `/sites/${siteId}/app` }
  const ask = (fields: Record<string, string> = {}, actor = guest) => askForAccess(inputOf(actor, { ...push, ...fields }))
  const asked = async (fields: Record<string, string> = {}, actor = guest) => {
    const outcome = await ask(fields, actor)
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem))
    return outcome.data.accessRequestId
  }
  /** As the dialog sends what was asked for. */
  const approval = { subjects: 'apps', effects: 'read,destroy', root: '', where: 'site', placeId: siteId, why: '' }
  const approve = (actor: Person, accessRequestId: string, fields: Record<string, string> = {}) =>
    approveRequest(inputOf(actor, { ...approval, until: inAnHour(), accessRequestId, ...fields }))
  const refuse = (actor: Person, accessRequestId: string, reason = 'Not on a Friday') =>
    refuseRequest(inputOf(actor, { accessRequestId, reason }))
  return {
    scene,
    owner: scene.owner,
    admin,
    guest,
    siteId,
    ask,
    asked,
    approve,
    refuse,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

const bellOf = async (actor: Person) => (await listNotifications(actor)).items.map(({ text, href }) => [text, href])
const grantsOf = ({ user }: Person) => db().grant.count({ where: { userId: user.id } })

test('a guest asks to push, an admin approves for an hour; it counts at once and ends exactly, and the log and the bells say so', async () => {
  await using team = await openRequests()
  const { owner, admin, guest, siteId } = team
  const staging = () => codeOfRun(guest, contract.apps.staging, { siteId })
  expect(await staging()).toBe('forbidden')
  const id = await team.asked()
  expect(await staging()).toBe('forbidden')
  const asks = 'The guest asks for access to view, delete and overwrite the apps of shop.heron.example, for 1 hour.'
  expect(await bellOf(owner)).toEqual([[asks, '/team/requests']])
  expect(await bellOf(admin)).toEqual([[asks, '/team/requests']])
  expect([await countAnswerable(owner), await countAnswerable(admin), await countAnswerable(guest)]).toEqual([1, 1, 0])
  expect(await listOthersRequests(admin)).toMatchObject([
    {
      id,
      asker: { name: 'The guest', role: 'guest' },
      place: { name: 'shop.heron.example' },
      minutes: 60,
      state: 'open',
      answerable: true,
    },
  ])
  const until = inAnHour()
  expect(codeOf(await team.approve(admin, id, { until }))).toBe('ok')
  expect(await staging()).not.toBe('forbidden')
  const [grant] = await db().grant.findMany({ where: { userId: guest.user.id, subjects: 'apps' }, include: { scopes: true } })
  expect(grant).toMatchObject({ effects: 'read,destroy', root: false, givenById: admin.user.id, scopes: [{ kind: 'site', about: siteId }] })
  expect(grant?.until?.toISOString()).toBe(until)
  expect(await listOwnRequests(guest)).toMatchObject([{ id, state: 'approved', answeredBy: 'The admin', page: `/sites/${siteId}/app` }])
  expect(await countAnswerable(owner)).toBe(0)
  const said = (await bellOf(guest))[0]
  expect(said?.[0]).toMatch(
    /^The admin approved your request for access: you can view, delete and overwrite the apps of shop\.heron\.example, until /,
  )
  expect(said?.[1]).toBe(`/sites/${siteId}/app`)
  // The others who were asked need not look any more.
  expect(await bellOf(owner)).toEqual([
    [expect.stringMatching(/^The admin approved the request of The guest for access to view, .* of .*, until /), '/team/requests'],
    [asks, '/team/requests'],
  ])
  expect(await bellOf(admin)).toEqual([[asks, '/team/requests']])
  const { entries } = await readActivity(owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  const at = `${until.slice(0, 10)} at ${until.slice(11, 16)} UTC`
  const what = 'view, delete and overwrite the apps of shop.heron.example'
  expect(entries.filter(({ result }) => result === 'done').map(({ description }) => description)).toEqual([
    `Approved access for ${guest.user.email} to ${what}, until ${at}`,
    `Asked for access to ${what}, for 1 hour; reason: The new shop goes live`,
  ])
  await db().grant.updateMany({ where: { id: grant?.id ?? '' }, data: { until: new Date(Date.now() - 1) } })
  expect(await staging()).toBe('forbidden')
})

test('security 3: what is out of sight cannot be asked for, and answers as what is not there', async () => {
  await using team = await openRequests()
  const hidden = team.scene.idOf('shop.otter.example')
  const there = await team.ask({ place: `site ${hidden}` })
  const absent = await team.ask({ place: `site ${'a'.repeat(22)}` })
  expect(there).toEqual(absent)
  for (const place of [`server ${team.scene.idOf('heron-1')}`, `site ${hidden}`, 'site x', 'everywhere', `team ${team.siteId}`, '']) {
    expect([place, codeOf(await team.ask({ place }))]).toEqual([place, 'not_found'])
  }
  expect(await db().accessRequest.count()).toBe(0)
})

test('a role is a ceiling: what it does not allow cannot be asked for, and the form says which role would', async () => {
  await using team = await openRequests()
  const { scene, siteId } = team
  const viewer = await scene.team.join('viewer')
  const none = await findAskable(viewer, { kind: 'site', id: siteId })
  expect(none.choices).toEqual([])
  expect(none.ceiling).toBe('A viewer cannot download, change, delete or overwrite anything. Ask a team owner or admin for another role.')
  expect(fieldsOf(await team.ask({}, viewer))).toEqual({
    what: 'A viewer cannot delete or overwrite anything. Ask a team owner or admin for another role.',
  })
  const id = await team.asked()
  expect(codeOf(await changeRole(inputOf(team.owner, { memberId: team.guest.user.id, role: 'viewer' })))).toBe('ok')
  const refused = await team.approve(team.owner, id, { effects: 'destroy' })
  expect(fieldsOf(refused).effects).toContain('A viewer cannot delete or overwrite anything.')
  expect(await grantsOf(team.guest)).toBe(1)
})

test('what amounts to root is a separate choice, and what a member has already is none', async () => {
  await using team = await openRequests()
  const { scene, guest, siteId } = team
  const { choices } = await findAskable(guest, { kind: 'site', id: siteId })
  const ids = choices.map(({ id }) => id)
  expect(ids).not.toContain('backups read')
  expect(ids).toEqual(expect.arrayContaining(['backups change', 'backups destroy', 'logs read', 'apps destroy']))
  expect(choices.find(({ id }) => id === 'backups change')).toMatchObject({ effects: ['change'] })
  expect(choices.find(({ id }) => id === 'apps destroy')).toMatchObject({ effects: ['read', 'destroy'] })
  const serverId = scene.idOf('heron-1')
  await give(guest, { kind: 'server', id: serverId }, { effects: ['read', 'export', 'change', 'destroy'] })
  const onServer = await findAskable(guest, { kind: 'server', id: serverId })
  expect(onServer.choices.length).toBeGreaterThan(3)
  expect(onServer.choices.every(({ root }) => root)).toBe(true)
  expect(onServer.choices.map(({ id }) => id)).toContain('cron change root')
  expect(codeOf(await team.ask())).toBe('invalid')
})

test('security 20: a request without its parts is refused field by field, and leads back to no page but one of the place', async () => {
  await using team = await openRequests()
  const { siteId } = team
  expect(Object.keys(fieldsOf(await team.ask({ what: 'everything', minutes: '61', why: ' ' })))).toEqual(['what', 'minutes', 'why'])
  expect(Object.keys(fieldsOf(await team.ask({ what: 'backups read' })))).toEqual(['what'])
  for (const page of ['https://elsewhere.example/', '//elsewhere.example', `/sites/${siteId}/../../team`, `/sites/${siteId}/a?b`, '']) {
    const id = await team.asked({ page })
    expect((await db().accessRequest.findUniqueOrThrow({ where: { id } })).page).toBe(`/sites/${siteId}`)
    expect(codeOf(await withdrawRequest(inputOf(team.guest, { accessRequestId: id })))).toBe('ok')
  }
})

test('one request is open per member, place and subject, also of two sent at once; others and later ones are not in the way', async () => {
  await using team = await openRequests()
  const both = await Promise.all([team.ask(), team.ask()])
  expect(both.map(codeOf).sort()).toEqual(['invalid', 'ok'])
  expect(fieldsOf(await team.ask({ what: 'apps change' }))).toHaveProperty('what')
  expect(codeOf(await team.ask({ what: 'logs read' }))).toBe('ok')
  const [open] = await db().accessRequest.findMany({ where: { subject: 'apps' } })
  const other = await team.scene.team.join('guest')
  expect(codeOf(await withdrawRequest(inputOf(other, { accessRequestId: open?.id ?? '' })))).toBe('not_found')
  expect(codeOf(await withdrawRequest(inputOf(team.guest, { accessRequestId: open?.id ?? '' })))).toBe('ok')
  expect(codeOf(await withdrawRequest(inputOf(team.guest, { accessRequestId: open?.id ?? '' })))).toBe('changed_meanwhile')
  expect(codeOf(await team.ask())).toBe('ok')
})

test('so many requests are open at most, and so many are sent within a day', async () => {
  await using team = await openRequests()
  const { choices } = await findAskable(team.guest, { kind: 'site', id: team.siteId })
  const subjects = [...new Map(choices.map((each) => [each.subject, each.id])).values()]
  const first = await team.asked({ what: subjects[0] ?? '' })
  const template = await db().accessRequest.findUniqueOrThrow({ where: { id: first } })
  for (let at = 1; at < limits.open; at++)
    await db().accessRequest.create({ data: { ...template, id: `${'x'.repeat(20)}${at}`, openKey: `filled ${at}` } })
  expect(codeOf(await team.ask({ what: subjects[1] ?? '' }))).toBe('too_many')
  await db().accessRequest.updateMany({ data: { state: 'withdrawn', openKey: null } })
  expect(codeOf(await team.ask({ what: subjects[1] ?? '' }))).toBe('ok')
  for (let at = 0; at < limits.aDay - limits.open - 1; at++)
    await db().accessRequest.create({ data: { ...template, id: `${'y'.repeat(20)}${at}`, state: 'withdrawn', openKey: null } })
  expect(codeOf(await team.ask({ what: subjects[2] ?? '' }))).toBe('too_many')
  expect(await db().accessRequest.count({ where: { state: 'open' } })).toBe(1)
})

test('approved twice at once leaves one grant; so do an approval and a refusal, and an approval and a withdrawal', async () => {
  await using team = await openRequests()
  const { owner, admin, guest } = team
  const before = await grantsOf(guest)
  const twice = await team.asked()
  expect((await Promise.all([team.approve(owner, twice), team.approve(admin, twice)])).map(codeOf).sort()).toEqual([
    'changed_meanwhile',
    'ok',
  ])
  expect(await grantsOf(guest)).toBe(before + 1)
  const mixed = await team.asked({ what: 'logs read' })
  const answers: Result[] = await Promise.all([team.approve(owner, mixed), team.refuse(admin, mixed)])
  expect(answers.map(codeOf).sort()).toEqual(['changed_meanwhile', 'ok'])
  expect(await grantsOf(guest)).toBe(before + 1 + Number(answers[0]?.ok))
  const last = await team.asked({ what: 'database read' })
  const both: Result[] = await Promise.all([team.approve(owner, last), withdrawRequest(inputOf(guest, { accessRequestId: last }))])
  expect(both.map(codeOf).sort()).toEqual(['changed_meanwhile', 'ok'])
  expect(await db().accessRequest.count({ where: { state: 'open' } })).toBe(0)
  expect(codeOf(await team.approve(owner, last))).toBe('changed_meanwhile')
})

test('the scope may be changed, a refusal needs a reason, and whoever asked reads it', async () => {
  await using team = await openRequests()
  const { admin, guest, siteId } = team
  const id = await team.asked()
  expect(codeOf(await team.approve(admin, id, { subjects: 'apps', effects: 'read' }))).toBe('ok')
  expect((await db().grant.findFirstOrThrow({ where: { subjects: 'apps' } })).effects).toBe('read')
  const { entries } = await readActivity(team.owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  expect(entries[0]?.description).toContain('(asked for: view, delete and overwrite the apps of shop.heron.example)')
  const second = await team.asked({ what: 'logs read' })
  expect(fieldsOf(await team.refuse(admin, second, ' '))).toEqual({ reason: 'Say why.' })
  expect(codeOf(await team.refuse(admin, second))).toBe('ok')
  expect(await listOwnRequests(guest)).toMatchObject([
    { state: 'refused', reason: 'Not on a Friday', answeredBy: 'The admin' },
    { state: 'approved' },
  ])
  expect((await bellOf(guest))[0]).toEqual([
    'The admin refused your request for access to view the logs of shop.heron.example: Not on a Friday.',
    `/sites/${siteId}/app`,
  ])
})

test('security 23: only those who may give that access answer, never for themselves, with a recent sign-in, and nobody more than they have', async () => {
  await using team = await openRequests()
  const { scene, owner, admin, guest } = team
  const [operator, viewer] = [await scene.team.join('operator'), await scene.team.join('viewer')]
  const id = await team.asked()
  for (const actor of [operator, viewer, guest]) {
    expect([codeOf(await team.approve(actor, id)), codeOf(await team.refuse(actor, id))]).toEqual(['forbidden', 'forbidden'])
    expect(codeOf(await team.approve(actor, 'x'))).toBe('forbidden')
    expect(await listOthersRequests(actor)).toEqual([])
  }
  const stale = inputOf(owner, { accessRequestId: id, subjects: 'apps', effects: 'read', where: 'everything', until: '' })
  expect(codeOf(await approveRequest({ ...stale, stepUp: async () => problem('forbidden') }))).toBe('forbidden')
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  expect(codeOf(await team.approve(admin, id))).toBe('not_found')
  expect(await listOthersRequests(admin)).toEqual([])
  await give(admin, { kind: 'site', id: team.siteId }, { subjects: ['apps'], effects: ['read'] })
  expect(codeOf(await team.approve(admin, id))).toBe('forbidden')
  const own = await askForAccess(
    inputOf(admin, { place: `site ${team.siteId}`, what: 'apps destroy', minutes: '60', why: 'I would like to', page: '' }),
  )
  expect(codeOf(own)).toBe('ok')
  const ownId = own.ok ? own.data.accessRequestId : ''
  expect([codeOf(await team.approve(admin, ownId)), codeOf(await team.refuse(admin, ownId))]).toEqual(['forbidden', 'forbidden'])
  expect(await grantsOf(guest)).toBe(1)
  const elsewhere = await scene.team.join('owner')
  expect(codeOf(await team.approve({ ...elsewhere, team: { id: 'b'.repeat(22), name: 'Other' } }, id))).toBe('not_found')
  expect(codeOf(await team.approve(owner, id))).toBe('ok')
})

test('nobody is asked in vain: a team in which nobody else could approve says so', async () => {
  await using scene = await openScene()
  const siteId = scene.idOf('shop.heron.example')
  await db().grant.deleteMany({ where: { userId: scene.owner.user.id } })
  await give(scene.owner, { kind: 'site', id: siteId }, { effects: ['read'] })
  const fields = { place: `site ${siteId}`, what: 'apps destroy', minutes: '', why: 'Alone', page: '' }
  expect(codeOf(await askForAccess(inputOf(scene.owner, fields)))).toBe('forbidden')
  expect(await db().accessRequest.count()).toBe(0)
})

test('a request of somebody who left is closed and approved by nobody; one that nobody answered ends after a week, and both are logged', async () => {
  await using team = await openRequests()
  const { scene, owner, guest } = team
  const others = [await scene.team.join('guest'), await scene.team.join('guest')]
  for (const other of others) await give(other, { kind: 'site', id: team.siteId }, { effects: ['read'] })
  const [gone, disabled] = [await team.asked({}, others[0]), await team.asked({}, others[1])]
  const id = await team.asked()
  expect(codeOf(await removeMember(inputOf(owner, { memberId: others[0]?.user.id ?? '' })))).toBe('ok')
  expect(codeOf(await disableMember(inputOf(owner, { memberId: others[1]?.user.id ?? '' })))).toBe('ok')
  expect(codeOf(await team.approve(owner, gone))).toBe('not_found')
  expect(codeOf(await team.approve(owner, disabled))).toBe('changed_meanwhile')
  const states = async () => Object.fromEntries((await db().accessRequest.findMany()).map((each) => [each.id, each.state]))
  expect(await states()).toEqual({ [gone]: 'closed', [disabled]: 'closed', [id]: 'open' })
  const week = 7 * 24 * hourMs
  await db().accessRequest.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } })
  expect(codeOf(await team.approve(owner, id))).toBe('changed_meanwhile')
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'expired', answerable: false }])
  await closeStale()
  await closeStale(new Date(Date.now() + week))
  expect((await states())[id]).toBe('expired')
  expect((await bellOf(guest)).map(([text]) => text)).toEqual([
    'Nobody answered your request for access to view, delete and overwrite the apps of shop.heron.example. Ask again if you still need it.',
  ])
  const ended = await team.asked({ what: 'logs read' })
  await db().membership.updateMany({ where: { userId: guest.user.id }, data: { endsAt: new Date(Date.now() - 1) } })
  expect(codeOf(await team.approve(owner, ended))).toBe('changed_meanwhile')
  await closeStale()
  expect((await states())[ended]).toBe('closed')
  const { entries } = await readActivity(owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  const closed = entries.map(({ description }) => description).filter((text) => text.startsWith('Closed'))
  expect(closed).toEqual(['Closed a request for access of somebody who left', 'Closed a request for access that nobody answered'])
})

test('a request that waits is listed first, however many newer ones are answered', async () => {
  await using team = await openRequests()
  const { owner, guest } = team
  const id = await team.asked()
  const { id: _, openKey: __, createdAt, ...row } = await db().accessRequest.findFirstOrThrow()
  const newer = { ...row, userId: guest.user.id, state: 'withdrawn' as const, createdAt: new Date(createdAt.getTime() + 1000) }
  await db().accessRequest.createMany({ data: Array.from({ length: 300 }, (_, index) => ({ ...newer, id: `withdrawn-${index}` })) })
  const listed = await listOthersRequests(owner)
  expect(listed.slice(0, 2).map((each) => [each.id === id, each.state])).toEqual([
    [true, 'open'],
    [false, 'withdrawn'],
  ])
})
