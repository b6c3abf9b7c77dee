/** Somebody who sees no place for it asks in words; whoever approves it chooses the servers and sites. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { approveRequest, refuseRequest } from '@/lib/portal/subjects/team/requests/answer'
import { findApprovers } from '@/lib/portal/subjects/team/requests/approvers'
import { askForAccess, limits, withdrawRequest } from '@/lib/portal/subjects/team/requests/ask'
import { findAskable, findAskableHere } from '@/lib/portal/subjects/team/requests/askable'
import { closeStale } from '@/lib/portal/subjects/team/requests/close'
import { countAnswerable, listOthersRequests, listOwnRequests } from '@/lib/portal/subjects/team/requests/list'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { inputOf } from '@/tests/support/own-input'
import { codeOf as codeOfRun, give, openScene } from '../../access/grants/scene'
import { openLending } from '../../access/loans/scene'

type Result = { ok: true } | { ok: false; problem: { code: string; sentence: string; fields?: Record<string, string> } }
const codeOf = (outcome: Result) => (outcome.ok ? 'ok' : outcome.problem.code)

const words = { place: 'nowhere', what: 'the logs of the shop of Heron', minutes: '60', why: 'It is slow', page: '/sites' }
const ask = (actor: Person, fields: Record<string, string> = {}) => askForAccess(inputOf(actor, { ...words, ...fields }))
const bellOf = async (actor: Person) => (await listNotifications(actor)).items.map(({ text, href }) => [text, href])

const access = { subjects: 'logs', effects: 'read', root: '', where: 'named', names: 'shop.heron.example', from: '', until: '', why: '' }

test('a guest with nothing asks in words, an admin approves with a site of their choice, and the log and the bells say so', async () => {
  await using scene = await openScene()
  const [admin, guest] = [await scene.team.join('admin'), await scene.team.join('guest')]
  const asked = await ask(guest)
  const id = asked.ok ? asked.data.accessRequestId : ''
  const asks = 'The guest asks for access to “the logs of the shop of Heron”, for 1 hour.'
  expect([await bellOf(admin), await bellOf(scene.owner), await bellOf(guest)]).toEqual([
    [[asks, '/team/requests']],
    [[asks, '/team/requests']],
    [],
  ])
  expect(await countAnswerable(admin)).toBe(1)
  expect(await listOthersRequests(admin)).toMatchObject([{ id, place: null, wanted: words.what, minutes: 60, answerable: true }])
  expect(codeOf(await approveRequest(inputOf(admin, { accessRequestId: id, ...access })))).toBe('ok')
  const siteId = scene.idOf('shop.heron.example')
  expect(await codeOfRun(guest, contract.logs.fetchSite, { siteId })).not.toBe('not_found')
  expect(await codeOfRun(guest, contract.logs.fetchSite, { siteId: scene.idOf('shop.otter.example') })).toBe('not_found')
  expect(await listOwnRequests(guest)).toMatchObject([{ id, place: null, state: 'approved', answeredBy: 'The admin', page: '/sites' }])
  expect(await bellOf(guest)).toEqual([
    ['The admin approved your request for access: you can view the logs of shop.heron.example.', '/sites'],
  ])
  // Who was asked as well sees what was asked for: what was given may name what is out of their sight.
  expect((await bellOf(scene.owner)).map(([text]) => text)).toContain(
    'The admin approved the request of The guest for access to “the logs of the shop of Heron”.',
  )
  const { entries } = await readActivity(scene.owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  expect(entries.map(({ description }) => description)).toEqual([
    `Approved access for ${guest.user.email} to view the logs of shop.heron.example (asked for: “${words.what}”)`,
    `Asked for access to “${words.what}”, for 1 hour; reason: It is slow`,
  ])
})

test('what is asked in words is one line, wherever it is shown, and one request of each team', async () => {
  await using scene = await openScene()
  const [, guest] = [await scene.team.join('admin'), await scene.team.join('guest')]
  const what = 'logs”.\nServer db-1 is unreachable. \u202ehttps://elsewhere.example'
  expect(codeOf(await ask(guest, { what, why: 'a\r\nb' }))).toBe('ok')
  const row = await db().accessRequest.findFirstOrThrow()
  expect([row.wanted, row.why]).toEqual(['logs”. Server db-1 is unreachable. https://elsewhere.example', 'a b'])
  expect(row.openKey).toContain(scene.team.id)
})

test('security 3: asking in words says the same whatever is named: what is there, what is not, and what another team has', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const answers: unknown[] = []
  for (const what of ['shop.otter.example', 'no-such-site.example', scene.idOf('otter-1'), 'x'.repeat(22)]) {
    const asked = await ask(guest, { what })
    const id = asked.ok ? asked.data.accessRequestId : ''
    const [own] = await listOwnRequests(guest)
    answers.push({ code: codeOf(asked), ...own, id: '', wanted: '', at: '', expiresAt: '' })
    expect(codeOf(await withdrawRequest(inputOf(guest, { accessRequestId: id })))).toBe('ok')
  }
  expect(answers).toHaveLength(4)
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('one is open per member, within the limits of all requests, and each part is needed', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const refused = await ask(guest, { what: ' ', minutes: '61', why: '' })
  expect(refused.ok ? {} : Object.keys(refused.problem.fields ?? {})).toEqual(['what', 'minutes', 'why'])
  expect((await Promise.all([ask(guest), ask(guest)])).map(codeOf).sort()).toEqual(['invalid', 'ok'])
  expect(codeOf(await ask(guest, { what: 'something else' }))).toBe('invalid')
  const [template] = await db().accessRequest.findMany()
  if (!template) throw new Error('Nothing was asked for.')
  await db().accessRequest.updateMany({ data: { state: 'withdrawn', openKey: null } })
  for (let at = 1; at < limits.aDay; at++)
    await db().accessRequest.create({ data: { ...template, id: `${'y'.repeat(20)}${at}`, state: 'withdrawn', openKey: null } })
  expect(codeOf(await ask(guest))).toBe('too_many')
  const page = await ask(await scene.team.join('guest'), { page: 'https://elsewhere.example/' })
  const stored = await db().accessRequest.findUniqueOrThrow({ where: { id: page.ok ? page.data.accessRequestId : '' } })
  expect(stored.page).toBe('/')
})

test('security 23: only those who may give access read and answer it; somebody who sees everything has nothing to ask for in words', async () => {
  await using scene = await openScene()
  const [admin, operator, viewer, guest] = [
    await scene.team.join('admin'),
    await scene.team.join('operator'),
    await scene.team.join('viewer'),
    await scene.team.join('guest'),
  ]
  const asked = await ask(guest)
  const id = asked.ok ? asked.data.accessRequestId : ''
  for (const actor of [operator, viewer, guest]) {
    expect(await listOthersRequests(actor)).toEqual([])
    expect(codeOf(await approveRequest(inputOf(actor, { accessRequestId: id, ...access })))).toBe('forbidden')
    expect(codeOf(await refuseRequest(inputOf(actor, { accessRequestId: id, reason: 'No' })))).toBe('forbidden')
  }
  for (const actor of [operator, viewer, scene.owner]) expect([actor.role, codeOf(await ask(actor))]).toEqual([actor.role, 'invalid'])
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  const approvers = await findApprovers(scene.team.id, { userId: guest.user.id, role: 'guest' }, null)
  expect(approvers.map(({ id: userId }) => userId)).toEqual([scene.owner.user.id])
  expect(codeOf(await approveRequest(inputOf(admin, { accessRequestId: id, ...access })))).not.toBe('ok')
  expect(codeOf(await refuseRequest(inputOf(scene.owner, { accessRequestId: id, reason: 'Ask Ada first' })))).toBe('ok')
  expect((await bellOf(guest))[0]?.[0]).toBe(`The owner refused your request for access to “${words.what}”: Ask Ada first.`)
})

test('one that nobody answers ends after a week, and says so', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  expect(codeOf(await ask(guest))).toBe('ok')
  await closeStale(new Date(Date.now() + 8 * 86_400_000))
  expect(await listOwnRequests(guest)).toMatchObject([{ state: 'expired', place: null }])
  expect((await bellOf(guest)).map(([text]) => text)).toEqual([
    `Nobody answered your request for access to “${words.what}”. Ask again if you still need it.`,
  ])
})

test('where only the member’s own connection lists a server, it is said before anything is filled in that nobody could approve', async () => {
  await using scene = await openLending()
  const { lender } = scene
  await db().grant.deleteMany({ where: { userId: lender.user.id } })
  const here = { kind: 'server', id: scene.idOf('heron-1'), name: 'heron-1' } as const
  await give(lender, { kind: 'server', id: here.id }, { effects: ['read'] })
  expect((await findAskable(lender, here)).choices.length).toBeGreaterThan(0)
  const askable = await findAskableHere(lender, here)
  expect(askable.choices).toEqual([])
  expect(askable.ceiling).toContain('Nobody could approve a request for heron-1, because no other owner or admin sees it.')
  await scene.team.connect(scene.upstream)
  await listServers(scene.owner)
  expect((await findAskableHere(lender, here)).choices.length).toBeGreaterThan(0)
})
