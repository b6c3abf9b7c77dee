/** Access is given, changed and ended by those who may change the team, and counts at once. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { findMemberAccess, listAccessTo } from '@/lib/portal/subjects/team/access/list'
import { changeMemberEmail } from '@/lib/portal/subjects/team/change-email'
import { changeRole, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { inputOf } from '@/tests/support/own-input'
import { createTeam } from '@/tests/support/portal-team'
import { accept, tokenOf } from '../../subjects/team/inviting'
import { codeOf as codeOfRun, give, openScene } from './scene'

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const backups = {
  subjects: 'backups',
  effects: 'read,change',
  root: '',
  where: 'named',
  names: 'shop.heron.example',
  until: '',
  why: 'Ticket 12',
}

const codeOf = (outcome: { ok: true } | { ok: false; problem: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem.code)

const to = ({ user }: Person) => `member ${user.id}`

async function given(actor: Person, member: Person, fields: Record<string, string> = {}): Promise<string> {
  const outcome = await giveAccess(inputOf(actor, { to: to(member), ...backups, ...fields }))
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem))
  return outcome.data.grantId
}

test('an owner gives a guest the backups of a site, changes them to the logs, and ends them: each counts at once and is logged in words', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const siteId = scene.idOf('shop.heron.example')
  const read = () =>
    Promise.all([
      codeOfRun(guest, contract.backups.list, { siteId }),
      codeOfRun(guest, contract.logs.fetchSite, { siteId }, { log: 'access' }),
    ])
  expect(await read()).toEqual(['not_found', 'not_found'])
  const until = inAnHour()
  const grantId = await given(scene.owner, guest, { until })
  expect((await read())[0]).toBe('ok')
  expect((await read())[1]).toBe('forbidden')
  const logs = { ...backups, grantId, subjects: 'logs', effects: 'read' }
  expect(codeOf(await changeAccess(inputOf(scene.owner, logs)))).toBe('ok')
  expect((await read())[0]).toBe('forbidden')
  expect(await findMemberAccess(scene.owner, guest.user.id)).toMatchObject({
    rows: [{ id: grantId, subjects: ['logs'], effects: ['read'], until: null, why: 'Ticket 12', givenBy: 'The owner', state: 'valid' }],
  })
  expect(codeOf(await endAccess(inputOf(scene.owner, { grantId })))).toBe('ok')
  expect(await read()).toEqual(['not_found', 'not_found'])
  expect(codeOf(await endAccess(inputOf(scene.owner, { grantId })))).toBe('changed_meanwhile')
  const { entries } = await readActivity(scene.owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  const email = guest.user.email
  const at = `${until.slice(0, 10)} at ${until.slice(11, 16)} UTC`
  expect(entries.filter(({ result }) => result === 'done').map(({ description }) => description)).toEqual([
    `Ended the access of ${email} to view the logs of shop.heron.example`,
    `Changed the access of ${email} to view the logs of shop.heron.example (before: view and change the backups of shop.heron.example)`,
    `Gave ${email} access to view and change the backups of shop.heron.example, until ${at}`,
  ])
})

test('only those who may change the team give, change and end access, whatever they send, and nobody above their own role', async () => {
  await using scene = await openScene()
  const [admin, operator, viewer, guest] = [
    await scene.team.join('admin'),
    await scene.team.join('operator'),
    await scene.team.join('viewer'),
    await scene.team.join('guest'),
  ]
  const grantId = await given(scene.owner, guest)
  const before = JSON.stringify(await db().grant.findMany({ include: { scopes: true } }))
  const all = (actor: Person, fields: Record<string, string>) =>
    Promise.all([giveAccess(inputOf(actor, fields)), changeAccess(inputOf(actor, fields)), endAccess(inputOf(actor, fields))])
  for (const actor of [operator, viewer, guest]) {
    expect((await all(actor, { to: to(guest), grantId, ...backups })).map(codeOf)).toEqual(['forbidden', 'forbidden', 'forbidden'])
    expect((await all(actor, { to: 'x', grantId: 'x' })).map(codeOf)).toEqual(['forbidden', 'forbidden', 'forbidden'])
  }
  const own = (await db().grant.findFirstOrThrow({ where: { userId: scene.owner.user.id } })).id
  expect((await all(admin, { to: to(scene.owner), grantId: own, ...backups })).map(codeOf)).toEqual(['forbidden', 'forbidden', 'forbidden'])
  const stranger = await (await createTeam()).join('owner')
  expect((await all(stranger, { to: to(guest), grantId, ...backups })).map(codeOf)).toEqual(['invalid', 'not_found', 'not_found'])
  expect(JSON.stringify(await db().grant.findMany({ where: { teamId: scene.team.id }, include: { scopes: true } }))).toBe(before)
})

test('an admin gives no more than they have, and an owner does', async () => {
  await using scene = await openScene()
  const [admin, guest] = [await scene.team.join('admin'), await scene.team.join('guest')]
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'server', id: scene.idOf('heron-1') }, { effects: ['read', 'change'] })
  const attempt = async (fields: Record<string, string>) =>
    codeOf(await giveAccess(inputOf(admin, { to: to(guest), ...backups, ...fields })))
  expect(await attempt({})).toBe('ok')
  expect(await attempt({ subjects: '*', effects: 'read', where: 'named', names: 'heron-1' })).toBe('ok')
  expect(await attempt({ effects: 'read,destroy' })).toBe('forbidden')
  expect(await attempt({ subjects: 'cron', root: '1', names: 'heron-1' })).toBe('forbidden')
  expect(await attempt({ where: 'everything' })).toBe('forbidden')
  expect(await attempt({ where: 'label', label: 'client' })).toBe('forbidden')
  expect(await attempt({ names: 'shop.otter.example' })).toBe('invalid')
  expect(codeOf(await giveAccess(inputOf(admin, { to: to(admin), ...backups, where: 'everything' })))).toBe('forbidden')
  expect(codeOf(await giveAccess(inputOf(scene.owner, { to: to(guest), ...backups, where: 'everything' })))).toBe('ok')
})

test('an admin with less than everything changes no member, by whatever way leads to another one’s access, but leaves', async () => {
  await using scene = await openScene()
  const [admin, viewer] = [await scene.team.join('admin'), await scene.team.join('viewer')]
  const memberId = viewer.user.id
  const ways: Record<string, () => Promise<{ ok: true } | { ok: false; problem: { code: string } }>> = {
    invite: () => inviteMember(inputOf(admin, { email: 'ada@example.org', role: 'operator' })),
    'raise a role': () => changeRole(inputOf(admin, { memberId, role: 'operator' })),
    'change an address': () => changeMemberEmail(inputOf(admin, { memberId, email: 'mine@example.org' })),
    'reset a password': () => createResetLink(inputOf(admin, { memberId })),
  }
  const invited = await inviteMember(inputOf(admin, { email: 'grace@example.org', role: 'viewer' }))
  if (!invited.ok) throw new Error(invited.problem.sentence)
  await db().grant.deleteMany({ where: { userId: admin.user.id } })
  await give(admin, { kind: 'server', id: scene.idOf('heron-1') }, { effects: ['read', 'change'] })
  for (const [way, attempt] of Object.entries(ways)) expect([way, codeOf(await attempt())]).toEqual([way, 'forbidden'])
  expect(await accept(tokenOf(invited.data.link))).toMatchObject({ ok: false })
  expect(codeOf(await removeMember(inputOf(admin, { memberId: admin.user.id })))).toBe('ok')
})

test('an invited member begins with what the inviter chose: everything, unless it was nothing, and as a guest nothing', async () => {
  await using scene = await openScene()
  const begin = async (email: string, fields: Record<string, string>) => {
    const invited = await inviteMember(inputOf(scene.owner, { email, ...fields }))
    if (!invited.ok) throw new Error(invited.problem.sentence)
    expect(codeOf(await accept(tokenOf(invited.data.link)))).toBe('ok')
    const { grants } = await db().membership.findFirstOrThrow({
      where: { user: { email } },
      include: { grants: { include: { scopes: true } } },
    })
    return grants.map(({ scopes, givenById }) => [scopes.map(({ kind }) => kind), givenById])
  }
  const all = [[['everything'], scene.owner.user.id]]
  expect(await begin('one@example.org', { role: 'operator' })).toEqual(all)
  expect(await begin('two@example.org', { role: 'admin', access: 'everything' })).toEqual(all)
  expect(await begin('three@example.org', { role: 'operator', access: 'none' })).toEqual([])
  expect(await begin('four@example.org', { role: 'guest', access: 'everything' })).toEqual([])
})

test('the last owner with access to everything keeps it: neither ended, narrowed, given an end, nor lost with a role', async () => {
  await using scene = await openScene()
  const second = await scene.team.join('owner')
  const grantOf = async ({ user }: Person) => (await db().grant.findFirstOrThrow({ where: { userId: user.id } })).id
  const [first, other] = [await grantOf(scene.owner), await grantOf(second)]
  const both = await Promise.all([endAccess(inputOf(scene.owner, { grantId: first })), endAccess(inputOf(second, { grantId: other }))])
  expect(both.map(codeOf).sort()).toEqual(['forbidden', 'ok'])
  const [left, kept] = both[0]?.ok ? [second, other] : [scene.owner, first]
  const whole = { grantId: kept, subjects: '*', effects: 'read,export,change,destroy', root: '1', where: 'everything', until: '', why: '' }
  expect(codeOf(await changeAccess(inputOf(left, { ...whole, until: inAnHour() })))).toBe('forbidden')
  expect(codeOf(await changeAccess(inputOf(left, { ...whole, root: '' })))).toBe('forbidden')
  expect(codeOf(await changeAccess(inputOf(left, { ...whole, effects: 'read' })))).toBe('forbidden')
  expect(codeOf(await changeAccess(inputOf(left, { ...whole, where: 'named', names: 'heron-1' })))).toBe('forbidden')
  expect(codeOf(await changeRole(inputOf(left, { memberId: left.user.id, role: 'viewer' })))).toBe('forbidden')
  expect(codeOf(await changeAccess(inputOf(left, { ...whole, why: 'Still here' })))).toBe('ok')
})

test('whoever becomes a guest loses what the lesser role limited, and whoever stops being one keeps what they were given', async () => {
  await using scene = await openScene()
  const viewer = await scene.team.join('viewer')
  const serverId = scene.idOf('heron-1')
  expect(codeOf(await changeRole(inputOf(scene.owner, { memberId: viewer.user.id, role: 'guest' })))).toBe('ok')
  expect((await findMemberAccess(scene.owner, viewer.user.id))?.rows).toEqual([])
  const guest = { ...viewer, role: 'guest' as const }
  expect(await codeOfRun(guest, contract.servers.summary, { serverId })).toBe('not_found')
  await given(scene.owner, viewer)
  expect(codeOf(await changeRole(inputOf(scene.owner, { memberId: viewer.user.id, role: 'operator' })))).toBe('ok')
  const operator = { ...viewer, role: 'operator' as const }
  expect(await codeOfRun(operator, contract.backups.create, { siteId: scene.idOf('shop.heron.example') })).toBe('ok')
  expect(await codeOfRun(operator, contract.servers.summary, { serverId })).toBe('not_found')
})

test('the page of a site says who can reach it and through what; a guest reads neither that nor the access of others', async () => {
  await using scene = await openScene()
  const [viewer, guest, other] = [await scene.team.join('viewer'), await scene.team.join('guest'), await scene.team.join('guest')]
  await given(scene.owner, guest)
  await given(scene.owner, other, { names: 'otter-1' })
  const place = { kind: 'site', id: scene.idOf('shop.heron.example') } as const
  const rows = await listAccessTo(viewer, place)
  const said = rows?.map(({ holder, scopes, allowed }) => [holder.kind === 'member' ? holder.name : holder.role, scopes, allowed] as const)
  expect(said?.sort(([one], [other]) => (one < other ? 1 : -1))).toEqual([
    ['The viewer', [{ kind: 'everything' }], ['read']],
    ['The owner', [{ kind: 'everything' }], ['read', 'export', 'change', 'destroy']],
    ['The guest', [{ kind: 'site', name: 'shop.heron.example' }], ['read', 'change']],
  ])
  expect(await listAccessTo(guest, place)).toBeNull()
  expect(await findMemberAccess(guest, other.user.id)).toBeNull()
  const operator = await scene.team.join('operator')
  await db().grant.deleteMany({ where: { userId: operator.user.id } })
  await given(scene.owner, operator, { names: 'shop.heron.example' })
  const read = async (actor: Person) => JSON.stringify(await readActivity(actor, readFilter({}), 'UTC', 50))
  for (const actor of [guest, operator]) expect(await read(actor)).toContain('shop.heron.example')
  for (const actor of [guest, operator]) expect(await read(actor)).not.toContain('otter')
  expect((await findMemberAccess(guest, guest.user.id))?.rows.length).toBe(1)
})

test('access to a role is everyone’s who has it, and a form without its parts is refused field by field', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const forRole = await giveAccess(inputOf(scene.owner, { to: 'role guest', ...backups }))
  expect(codeOf(forRole)).toBe('ok')
  expect(await codeOfRun(guest, contract.backups.list, { siteId: scene.idOf('shop.heron.example') })).toBe('ok')
  const refusals = async (fields: Record<string, string>) => {
    const outcome = await giveAccess(inputOf(scene.owner, { to: to(guest), ...backups, ...fields }))
    return outcome.ok ? [] : Object.keys(outcome.problem.fields ?? {})
  }
  expect(await refusals({ subjects: '', effects: '', until: 'soon' })).toEqual(['subjects', 'until'])
  expect(await refusals({ effects: 'own' })).toEqual(['effects'])
  expect(await refusals({ subjects: 'backups,nothing' })).toEqual(['subjects'])
  expect(await refusals({ names: 'unknown.example' })).toEqual(['names'])
  expect(await refusals({ where: 'label', label: '' })).toEqual(['label'])
  expect(await refusals({ where: '' })).toEqual(['where'])
  expect(await refusals({ until: new Date(Date.now() - 1).toISOString() })).toEqual(['until'])
  expect(await refusals({ to: 'member x' })).toEqual(['to'])
})

test('access for a member who is removed while the password is typed is refused in words, and nothing of it is left', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const stepUp = async () => {
    expect(codeOf(await removeMember(inputOf(scene.owner, { memberId: guest.user.id })))).toBe('ok')
    return null
  }
  const outcome = await giveAccess(inputOf(scene.owner, { to: to(guest), ...backups }, { stepUp }))
  const sentence = 'This member was removed in the meantime, so nothing was changed.'
  expect(outcome).toEqual({ ok: false, problem: problem('changed_meanwhile', { sentence }) })
  expect(await db().undo.count()).toBe(0)
  const entries = await db().auditRow.findMany({ where: { action: 'access.give' }, orderBy: { seq: 'asc' } })
  expect(entries.map(({ outcome }) => outcome)).toEqual(['asked', 'failed'])
  expect(entries[1]?.detail).toContain('changed_meanwhile')
})

test('without a recent sign-in nothing is changed', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const input = { ...inputOf(scene.owner, { to: to(guest), ...backups }), stepUp: async () => problem('forbidden') }
  expect(codeOf(await giveAccess(input))).toBe('forbidden')
  expect(await db().grant.count({ where: { userId: guest.user.id } })).toBe(0)
})

test('an admin keeps no access past its end: not by extending it, giving it again, undoing what set the end, or taking the end off the membership', async () => {
  await using scene = await openScene()
  const admin = await scene.team.join('admin')
  const until = inAnHour()
  const { id: grantId } = await db().grant.findFirstOrThrow({ where: { userId: admin.user.id } })
  const all = { ...backups, subjects: '*', effects: 'read,export,change,destroy', root: '1', where: 'everything', names: '' }
  const shortened = await changeAccess(inputOf(scene.owner, { ...all, grantId, until }))
  const undoId = shortened.ok ? (shortened.data.undo ?? '') : ''
  expect(undoId).not.toBe('')
  const later = new Date(Date.now() + 7_200_000).toISOString()
  for (const end of ['', later]) {
    expect(codeOf(await changeAccess(inputOf(admin, { ...all, grantId, until: end })))).toBe('forbidden')
    expect(codeOf(await giveAccess(inputOf(admin, { ...all, to: to(admin), until: end })))).toBe('forbidden')
  }
  expect(codeOf(await undoChange(admin, undoId, createOpaqueId(), startJob))).toBe('forbidden')
  await db().membership.updateMany({ where: { userId: admin.user.id }, data: { endsAt: new Date(until) } })
  expect(codeOf(await setMembershipEnd(inputOf(admin, { memberId: admin.user.id, endsOn: '' })))).toBe('forbidden')
  expect((await db().grant.findUnique({ where: { id: grantId } }))?.until?.toISOString()).toBe(until)
  expect(codeOf(await giveAccess(inputOf(admin, { ...all, to: to(await scene.team.join('guest')), until })))).toBe('ok')
})
