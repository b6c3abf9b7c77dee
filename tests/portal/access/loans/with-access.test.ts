/** Access that is given together with a loan, or ended with it: both or neither, by those who may change access. */
import { expect, test } from 'vitest'
import { hasAlready, lacksAll } from '@/app/(portal)/keys/[connectionId]/loan-dialog'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { changeLoan, endLoan, lendConnection } from '@/lib/portal/subjects/lending/change'
import { findGivable } from '@/lib/portal/subjects/lending/givable'
import { findLentConnection } from '@/lib/portal/subjects/lending/view'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { endAccess } from '@/lib/portal/subjects/team/access/change'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import type { NamedScope } from '@/lib/text/access'
import { inputOf } from '@/tests/support/own-input'
import { codeOf, give } from '../grants/scene'
import { openLending } from './scene'

const what = { subjects: 'logs,backups', effects: 'read', root: '', where: 'named', names: 'shop.heron.example', until: '', why: '' }

const refused = (code: string) => ({ ok: false, problem: { code } })

/** An owner and an admin with connections of their own, and a guest without access. */
async function openBoth() {
  const scene = await openLending()
  const guest = await scene.team.join('guest')
  const connectionId = await scene.team.connect(scene.upstream, { ownerId: scene.owner.user.id, label: 'The owner’s key' })
  await listSites(scene.owner)
  const form = { connectionId, to: `member ${guest.user.id}`, access: '1', ...what }
  const read = () => codeOf(guest, contract.backups.list, { siteId: scene.idOf('shop.heron.example') })
  return { scene, guest, connectionId, form, read, owner: scene.owner, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

const loanIdOf = (lent: Awaited<ReturnType<typeof lendConnection>>) => (lent.ok ? lent.data.loanId : '')
const grantsOf = ({ user }: Person) => db().grant.findMany({ where: { userId: user.id }, include: { scopes: true } })

/** Stage and action of what was recorded about loans and access, in order. */
async function recorded() {
  const rows = await db().auditRow.findMany({ where: { action: { contains: '.' } }, orderBy: { seq: 'asc' } })
  return rows
    .filter(({ action }) => /^(access|connection)\.(give|end|lend|endLoan)$/.test(action))
    .map(({ action, outcome }) => `${action} ${outcome}`)
}

test('one loan gives use of the connection and access to the same until the same time, and both are told', async () => {
  await using both = await openBoth()
  const { guest, owner, form, read } = both
  const until = new Date(Date.now() + 3_600_000)
  expect(await read()).toBe('not_found')
  const alone = await lendConnection(inputOf(owner, { ...form, access: '' }))
  expect([alone.ok, await read(), (await grantsOf(guest)).length]).toEqual([true, 'not_found', 0])
  await db().loan.deleteMany()
  expect(await lendConnection(inputOf(owner, { ...form, until: until.toISOString() }))).toMatchObject({ ok: true })
  expect(await read()).toBe('ok')
  expect(await grantsOf(guest)).toMatchObject([
    { subjects: 'logs,backups', effects: 'read', root: false, until, givenById: owner.user.id, scopes: [{ kind: 'site' }] },
  ])
  expect((await recorded()).slice(2)).toEqual(['access.give asked', 'connection.lend asked', 'connection.lend done', 'access.give done'])
  const told = (await listNotifications(guest)).items.map(({ text }) => text)
  expect(told.filter((text) => /lent you|gave you/.test(text)).length).toBe(3)
})

test('nothing is lent if the access cannot be given: by whom, to whom, more than one has, or where it needs a second person', async () => {
  await using both = await openBoth()
  const { scene, guest, owner, form } = both
  const [lendersForm, admin] = [{ ...form, connectionId: scene.connectionId }, await scene.team.join('admin')]
  expect(await lendConnection(inputOf(scene.lender, lendersForm))).toMatchObject(refused('forbidden'))
  expect(await lendConnection(inputOf(owner, { ...form, to: 'team' }))).toMatchObject(refused('invalid'))
  expect(await lendConnection(inputOf(owner, form, { stepUp: async () => problem('invalid') }))).toMatchObject(refused('invalid'))
  const adminsKey = await scene.team.connect(scene.upstream, { ownerId: admin.user.id, label: 'The admin’s key' })
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'everything' }, { subjects: ['backups'] })
  await listSites(admin)
  const more = await lendConnection(inputOf(admin, { ...form, connectionId: adminsKey }))
  const tooMuch = 'You cannot give more access than you have, nor for longer. Lend without access, or ask an owner.'
  expect(more).toMatchObject({ ok: false, problem: { sentence: tooMuch } })
  const toOwner = { ...form, connectionId: adminsKey, subjects: 'backups', to: `member ${owner.user.id}` }
  expect(await lendConnection(inputOf(admin, toOwner))).toMatchObject(refused('forbidden'))
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: 'access' } })
  expect(await lendConnection(inputOf(owner, form))).toMatchObject(refused('forbidden'))
  expect([await db().loan.count(), (await grantsOf(guest)).length]).toEqual([0, 0])
  expect(await lendConnection(inputOf(owner, { ...form, access: '' }))).toMatchObject({ ok: true })
})

test('ending the loan leaves the access; both end together, with a recent sign-in, where access gives the same', async () => {
  await using both = await openBoth()
  const { scene, guest, owner, form, read, connectionId } = both
  const endable = async (actor: Person) => (await findLentConnection(actor, connectionId))?.loans.map((loan) => loan.accessEndable)
  const other = await give(guest, { kind: 'site', id: scene.idOf('blog.heron.example') }, { subjects: ['backups'] })
  const first = loanIdOf(await lendConnection(inputOf(owner, form)))
  expect(await endable(owner)).toEqual([true])
  expect(await endLoan(inputOf(owner, { loanId: first }, { stepUp: async () => problem('invalid') }))).toMatchObject({ ok: true })
  expect([await read(), (await grantsOf(guest)).filter(({ until }) => until === null).length]).toEqual(['not_found', 2])
  const second = loanIdOf(await lendConnection(inputOf(owner, { ...form, access: '' })))
  expect(await read()).toBe('ok')
  const asked = { loanId: second, access: '1' }
  expect(await endLoan(inputOf(owner, asked, { stepUp: async () => problem('invalid') }))).toMatchObject(refused('invalid'))
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: 'access' } })
  expect(await endLoan(inputOf(owner, asked))).toMatchObject(refused('forbidden'))
  expect(await endable(owner)).toEqual([false, false])
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: '' } })
  expect(await read()).toBe('ok')
  expect(await endLoan(inputOf(owner, asked))).toMatchObject({ ok: true })
  expect((await grantsOf(guest)).filter(({ until }) => until === null).map(({ id }) => id)).toEqual([other])
  expect(await db().loan.count({ where: { until: null } })).toBe(0)
  expect((await recorded()).slice(-4)).toEqual([
    'access.end asked',
    'connection.endLoan asked',
    'connection.endLoan done',
    'access.end done',
  ])
  expect(await endLoan(inputOf(owner, asked))).toMatchObject(refused('changed_meanwhile'))
})

/** Ends all access of a member, as one who changes access separately meanwhile. */
const endGrantsOf = ({ user }: Person) => db().grant.updateMany({ where: { userId: user.id }, data: { until: new Date() } })

const toldOfEnds = async (person: Person) =>
  (await listNotifications(person)).items.map(({ text }) => text).filter((text) => /ended your access/.test(text)).length

test('the loan ends also if access to the same is over already, which is then neither recorded nor told', async () => {
  await using both = await openBoth()
  const { guest, owner, form } = both
  const first = loanIdOf(await lendConnection(inputOf(owner, form)))
  await endGrantsOf(guest)
  const before = (await recorded()).length
  expect(await endLoan(inputOf(owner, { loanId: first, access: '1' }))).toMatchObject({ ok: true })
  expect((await recorded()).slice(before)).toEqual(['connection.endLoan asked', 'connection.endLoan done'])
  expect([await toldOfEnds(guest), await db().loan.count({ where: { until: null } })]).toEqual([0, 0])
  const second = loanIdOf(await lendConnection(inputOf(owner, form)))
  expect(await endLoan(inputOf(owner, { loanId: second, access: '1' }))).toMatchObject({ ok: true })
  expect(await toldOfEnds(guest)).toBe(1)
})

test('the loan ends also if somebody ends the access at the same time, which ends once', async () => {
  await using both = await openBoth()
  const { guest, owner, form } = both
  const loanId = loanIdOf(await lendConnection(inputOf(owner, form)))
  const [grant] = await grantsOf(guest)
  const [ended] = await Promise.all([
    endLoan(inputOf(owner, { loanId, access: '1' })),
    endAccess(inputOf(owner, { grantId: grant?.id ?? '' })),
  ])
  expect(ended).toMatchObject({ ok: true })
  expect((await recorded()).filter((entry) => /(access.end|endLoan) done$/.test(entry)).sort()).toEqual([
    'access.end done',
    'connection.endLoan done',
  ])
  expect(await toldOfEnds(guest)).toBe(1)
})

test('a loan that somebody ended meanwhile takes no access along', async () => {
  await using both = await openBoth()
  const { guest, owner, form } = both
  const loanId = loanIdOf(await lendConnection(inputOf(owner, form)))
  const meanwhile = async () => {
    expect(await endLoan(inputOf(owner, { loanId }))).toMatchObject({ ok: true })
    return null
  }
  expect(await endLoan(inputOf(owner, { loanId, access: '1' }, { stepUp: meanwhile }))).toMatchObject(refused('changed_meanwhile'))
  expect(await endLoan(inputOf(owner, { loanId, access: '1' }))).toMatchObject(refused('changed_meanwhile'))
  expect((await grantsOf(guest)).map(({ until }) => until)).toEqual([null])
  expect(await toldOfEnds(guest)).toBe(0)
})

test('of two ends at once one ends both, and the other finds that it is over', async () => {
  await using both = await openBoth()
  const { guest, owner, form } = both
  const loanId = loanIdOf(await lendConnection(inputOf(owner, form)))
  const end = () => endLoan(inputOf(owner, { loanId, access: '1' }))
  const codes = (await Promise.all([end(), end()])).map((ended) => (ended.ok ? 'ok' : ended.problem.code))
  expect(codes.sort()).toEqual(['changed_meanwhile', 'ok'])
  expect((await grantsOf(guest)).filter(({ until }) => until === null)).toEqual([])
  expect(
    (await recorded())
      .filter((entry) => / done$/.test(entry))
      .slice(2)
      .sort(),
  ).toEqual(['access.end done', 'connection.endLoan done'])
  expect(await toldOfEnds(guest)).toBe(1)
})

test('a loan whose servers and sites are others than those that were read is neither ended nor changed', async () => {
  await using both = await openBoth()
  const { scene, guest, owner, form } = both
  const loanId = loanIdOf(await lendConnection(inputOf(owner, form)))
  const [shop, blog] = [scene.idOf('shop.heron.example'), scene.idOf('blog.heron.example')]
  const moveTo = (about: string) => async () => {
    await db().loanScope.updateMany({ where: { loanId }, data: { about } })
    return null
  }
  const end = endLoan(inputOf(owner, { loanId, access: '1' }, { stepUp: moveTo(blog) }))
  expect(await end).toMatchObject(refused('changed_meanwhile'))
  const change = changeLoan(inputOf(owner, { ...form, loanId, effects: 'read,change' }, { stepUp: moveTo(shop) }))
  expect(await change).toMatchObject(refused('changed_meanwhile'))
  expect(await db().loan.findMany()).toMatchObject([{ until: null, effects: 'read' }])
  expect((await grantsOf(guest)).map(({ until }) => until)).toEqual([null])
})

test('neither is lent to, nor ended of, a member who was removed meanwhile', async () => {
  await using both = await openBoth()
  const { scene, guest, owner, form } = both
  const loanId = loanIdOf(await lendConnection(inputOf(owner, form)))
  const remove = async () => {
    await db().membership.delete({ where: { userId_teamId: { userId: guest.user.id, teamId: scene.team.id } } })
    return null
  }
  expect(await endLoan(inputOf(owner, { loanId, access: '1' }, { stepUp: remove }))).toMatchObject(refused('changed_meanwhile'))
  const other = await scene.team.join('guest')
  const removeOther = async () => {
    await db().membership.delete({ where: { userId_teamId: { userId: other.user.id, teamId: scene.team.id } } })
    return null
  }
  const toOther = { ...form, to: `member ${other.user.id}` }
  expect(await lendConnection(inputOf(owner, toOther, { stepUp: removeOther }))).toMatchObject(refused('changed_meanwhile'))
  expect([await db().loan.count(), (await grantsOf(guest)).length, (await grantsOf(other)).length]).toEqual([0, 0, 0])
  expect((await recorded()).filter((entry) => / done$/.test(entry))).toEqual(['connection.lend done', 'access.give done'])
})

test('the dialog knows what borrowers have, and who can give it if the lender cannot', async () => {
  await using both = await openBoth()
  const { scene, guest, owner } = both
  const borrowers = [{ kind: 'member', id: guest.user.id, role: 'guest' }, { kind: 'role', role: 'guest' }, { kind: 'team' }] as const
  await give(guest, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['backups'] })
  const held = { subjects: ['backups'], effects: ['read'], scopes: [{ kind: 'site', name: 'shop.heron.example' }], until: null }
  // Of a role what each of its members has, and of one that nobody has what is given to the role.
  expect(await findGivable(owner, [{ kind: 'role', role: 'guest' }])).toEqual([{ has: [[]] }])
  expect(await findGivable(owner, borrowers)).toMatchObject([
    { has: [[held]] },
    { has: [[held]] },
    { refusal: 'To give access as well, choose a member or a role.' },
  ])
  const [refusal] = await findGivable(scene.lender, borrowers)
  expect(refusal).toEqual({ refusal: 'The owner can give them access.' })
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: 'access' } })
  expect((await findGivable(owner, borrowers))[0]).toMatchObject({ refusal: expect.stringContaining('second person') })
})

test('access is not proposed to an admin whose own has limits, or an end', async () => {
  await using both = await openBoth()
  const { scene, guest } = both
  const admin = await scene.team.join('admin')
  const find = () => findGivable(admin, [{ kind: 'member', id: guest.user.id, role: 'guest' }])
  expect(await find()).toEqual([{ has: [[]] }])
  const limited = [{ refusal: 'Your own access has limits. Give theirs on the page Team, or ask an owner.' }]
  await db().grant.updateMany({ where: { userId: admin.user.id }, data: { until: new Date(Date.now() + 3_600_000) } })
  expect(await find()).toEqual(limited)
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'everything' }, { subjects: ['backups'] })
  expect(await find()).toEqual(limited)
})

const draft = { template: 'custom', root: false, where: 'named', label: '' } as const

test('a borrower has access already if one access includes it, there and for as long', () => {
  const asked = { ...draft, subjects: ['logs'], effects: ['read'], names: 'shop.example' }
  const has = { subjects: ['logs', 'backups'], effects: ['read'], root: false, until: '2026-12-01T18:00:00.000Z' }
  const there = [{ ...has, scopes: [{ kind: 'site' as const, name: 'shop.example' }] }]
  expect(hasAlready(there, asked, '2026-12-01T18:00:00.000Z')).toBe(true)
  expect(hasAlready(there, asked, '2026-12-01T18:00:00.001Z')).toBe(false)
  expect(hasAlready(there, asked, null)).toBe(false)
  const until = '2026-11-30T00:00:00.000Z'
  expect(hasAlready(there, { ...asked, names: 'shop.example, blog.example' }, until)).toBe(false)
  expect(hasAlready(there, { ...asked, effects: ['read', 'change'] }, until)).toBe(false)
  expect(hasAlready(there, { ...asked, subjects: 'all' }, until)).toBe(false)
  expect(hasAlready(there, { ...asked, root: true }, until)).toBe(false)
  expect(hasAlready(there, { ...asked, where: 'label', label: 'shop.example' }, until)).toBe(false)
  const full = [{ subjects: 'all' as const, effects: ['read'], root: true, until: null, scopes: [{ kind: 'everything' as const }] }]
  expect(hasAlready(full, { ...asked, where: 'everything', root: true }, null)).toBe(true)
})

test('access is proposed only to those who have none that may include a part of it', () => {
  const asked = { ...draft, subjects: ['logs'], effects: ['read'], names: 'shop.example' }
  const has = { subjects: ['logs', 'backups'], effects: ['read', 'change'], root: false, until: null }
  const over = (...scopes: NamedScope[]) => [{ ...has, scopes }]
  const site = (name: string | null): NamedScope => ({ kind: 'site', name })
  expect(lacksAll([], asked)).toBe(true)
  expect(lacksAll(over(site('blog.example')), asked)).toBe(true)
  expect(lacksAll(over(site('blog.example'), site('Shop.example')), asked)).toBe(false)
  // What is typed may be a site of that server, carry that label, or be what the reader does not see.
  expect(lacksAll(over({ kind: 'server', name: 'heron-1' }), asked)).toBe(false)
  expect(lacksAll(over({ kind: 'label', name: 'shops' }), asked)).toBe(false)
  expect(lacksAll(over({ kind: 'everything' }), asked)).toBe(false)
  expect(lacksAll(over(site(null)), asked)).toBe(false)
  expect(lacksAll(over(site('blog.example')), { ...asked, where: 'everything' })).toBe(false)
  expect(lacksAll(over(site('blog.example')), { ...asked, where: 'label', label: 'shops' })).toBe(false)
  for (const other of [{ subjects: ['ssl'] }, { effects: ['destroy'] }]) {
    expect(lacksAll(over({ kind: 'everything' }), { ...asked, ...other })).toBe(true)
  }
  for (const more of [{ subjects: 'all' as const }, { effects: ['read', 'destroy'] }]) {
    expect(lacksAll(over({ kind: 'everything' }), { ...asked, ...more })).toBe(false)
  }
})
