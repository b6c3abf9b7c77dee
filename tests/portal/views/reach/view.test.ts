/** Who sees which table of reach, and what it says: in words, with the last use, filtered and as CSV. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { runOperation } from '@/lib/portal/subjects/spine'
import { renderReach } from '@/lib/portal/views/reach/csv'
import { filterReach, readReachFilter } from '@/lib/portal/views/reach/filter'
import { findSubject, type SubjectKind } from '@/lib/portal/views/reach/subject'
import { readReach } from '@/lib/portal/views/reach/view'
import { createTeam } from '@/tests/support/portal-team'
import { readCsv } from '@/tests/support/read-csv'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { give } from '../../access/grants/scene'
import { lend, openLending } from '../../access/loans/scene'

async function linesOf(actor: Person, kind: SubjectKind, id: string) {
  const subject = await findSubject(actor, kind, id)
  if (!subject) throw new Error('The reader may not see it.')
  return readReach(actor, subject, null)
}

test('those who may change the team see all that they see; others their own reach, and that of their own connection', async () => {
  await using lending = await openLending()
  const { team, owner, lender, connectionId, idOf } = lending
  const [admin, viewer, guest] = [await team.join('admin'), await team.join('viewer'), await team.join('guest')]
  await lend(lending, { scope: { kind: 'server', id: idOf('heron-1') } })
  const stranger = await (await createTeam('Another team')).join('owner')
  const asked: [string, SubjectKind, string][] = [
    ['their own', 'member', ''],
    ['a member', 'member', lender.user.id],
    ['a connection', 'connection', connectionId],
    ['a server', 'server', idOf('heron-1')],
    ['a server that is not lent', 'server', idOf('otter-1')],
    ['a site', 'site', idOf('shop.heron.example')],
  ]
  const seen = async (actor: Person) => {
    const found = asked.map(async ([what, kind, id]) => ((await findSubject(actor, kind, id || actor.user.id)) ? what : null))
    return (await Promise.all(found)).filter((what) => what !== null)
  }
  expect(await seen(owner)).toEqual(['their own', 'a member', 'a connection', 'a server', 'a site'])
  expect(await seen(admin)).toEqual(await seen(owner))
  expect(await seen(lender)).toEqual(['their own', 'a member', 'a connection'])
  expect([await seen(viewer), await seen(guest), await seen(stranger)]).toEqual([['their own'], ['their own'], ['their own']])
  for (const wrong of [undefined, 'team', ['member']]) expect(await findSubject(owner, wrong, owner.user.id)).toBe(null)
})

test('of a server or site, only what reaches it is listed, with the connections that list it', async () => {
  await using lending = await openLending()
  const { team, owner, lender, idOf } = lending
  await using other = await startUpstream()
  await team.connect(other, { label: 'Another service' })
  await lend(lending, { scope: { kind: 'server', id: idOf('heron-1') }, to: { userId: owner.user.id } })
  const reached = async (kind: SubjectKind, id: string) => (await linesOf(owner, kind, id)).map(({ who, connection }) => [who, connection])
  const expected = [
    ['The operator', 'Robin’s key, their own'],
    ['The owner', 'Robin’s key, lent by The operator'],
  ]
  for (const kind of ['server', 'site'] as const) {
    const lines = await reached(kind, idOf(kind === 'server' ? 'heron-1' : 'shop.heron.example'))
    expect(lines.toSorted()).toEqual(expected)
  }
  // What adds servers to a service is listed where the table is about a member.
  expect(await reached('member', lender.user.id)).toEqual([['The operator', expect.stringContaining('Another service')]])
})

test('a guest can do what both a grant and a loan say: the line names both, and when it was last used', async () => {
  await using lending = await openLending()
  const { team, owner, lender, connectionId, idOf } = lending
  const guest = await team.join('guest')
  const site = { kind: 'site', id: idOf('shop.heron.example') } as const
  await give(guest, site, { subjects: ['backups', 'logs'], effects: ['read', 'change'] })
  const expected = {
    who: 'The guest',
    role: 'guest',
    what: 'view and change the backups',
    access: 'Access to shop.heron.example, given by Gatehouse',
    connection: 'Robin’s key, lent by The operator',
    places: [{ kind: 'site', name: 'shop.heron.example' }],
    hidden: 0,
    everything: false,
    lastUsedAt: null,
    recorded: true,
    unused: true,
  }
  expect(await linesOf(owner, 'member', guest.user.id)).toEqual([])
  await lend(lending, {
    scope: { kind: 'server', id: idOf('heron-1') },
    to: { userId: guest.user.id },
    subjects: ['backups'],
    effects: ['read', 'change'],
  })
  const ofGuest = async (actor: Person, kind: SubjectKind, id: string) =>
    (await linesOf(actor, kind, id)).filter(({ role }) => role === 'guest')
  expect(await ofGuest(lender, 'connection', connectionId)).toMatchObject([expected])
  expect(await ofGuest(guest, 'member', guest.user.id)).toMatchObject([expected])
  const since = Date.now()
  expect((await runOperation(guest, contract.backups.create, { siteId: site.id })).ok).toBe(true)
  expect((await runOperation(guest, contract.backups.delete, { siteId: site.id }, { ids: ['x'] })).ok).toBe(false)
  const [line] = await ofGuest(lender, 'connection', connectionId)
  expect(line?.unused).toBe(false)
  expect(Date.parse(line?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(since)
  // What a member sees of themselves names no server that is out of their sight.
  expect(JSON.stringify(await linesOf(guest, 'member', guest.user.id))).not.toMatch(/otter|blog|heron-1/)
})

test('the table is filtered by words, also in the names of servers and sites, and by what is unused, and is a file', async () => {
  await using lending = await openLending()
  const { lender, connectionId, idOf } = lending
  await lend(lending, { scope: { kind: 'everything' }, to: { role: 'owner' }, subjects: ['backups'] })
  const siteId = idOf('shop.heron.example')
  expect((await runOperation(lender, contract.backups.create, { siteId })).ok).toBe(true)
  const lines = await linesOf(lender, 'connection', connectionId)
  const filtered = (query: Record<string, string>) =>
    filterReach(lines, readReachFilter(query)).map(({ role, places }) => [role, ...places.map(({ name }) => name)])
  const all = ['blog.heron.example', 'shop.heron.example', 'shop.otter.example']
  expect(filtered({})).toEqual([
    ['owner', ...all],
    ['operator', 'heron-1', 'otter-1', ...all],
  ])
  expect(filtered({ text: 'OTTER everything' })).toEqual([['operator', 'otter-1', 'shop.otter.example']])
  expect(filtered({ text: 'lent by' })).toEqual([['owner', ...all]])
  expect(filtered({ text: 'nothing of this' })).toEqual([])
  expect(filtered({ use: 'unused' })).toEqual([['owner', ...all]])
  const rows = readCsv([...renderReach(filterReach(lines, readReachFilter({ text: 'shop' })), false)].join(''))
  expect(rows.slice(1).map((row) => row.slice(0, 5))).toEqual([
    ['The owner', 'Owner', 'site', 'shop.heron.example', 'view the backups'],
    ['The owner', 'Owner', 'site', 'shop.otter.example', 'view the backups'],
    ['The operator', 'Operator', 'site', 'shop.heron.example', 'do everything'],
    ['The operator', 'Operator', 'site', 'shop.otter.example', 'do everything'],
  ])
})

test('access to everything counts as used wherever it was, and access to one server only there', async () => {
  await using lending = await openLending()
  const { team, lender, idOf } = lending
  const guest = await team.join('guest')
  const [used, other] = [idOf('heron-1'), idOf('otter-1')]
  await lend(lending, { scope: { kind: 'everything' }, to: { userId: guest.user.id }, effects: ['read', 'change'] })
  await give(guest, { kind: 'server', id: other }, { effects: ['change'] })
  await give(guest, { kind: 'server', id: used }, { effects: ['change'] })
  const confirmed = { confirmName: 'heron-1' }
  for (const actor of [guest, lender])
    expect(await runOperation(actor, contract.servers.reboot, { serverId: used }, {}, confirmed)).toMatchObject({ ok: true })
  const usedOf = async (actor: Person) =>
    (await linesOf(lender, 'connection', lending.connectionId))
      .filter(({ role }) => role === actor.role)
      .map(({ everything, places, lastUsedAt }) => [everything, places[0]?.name, lastUsedAt !== null])
  expect(await usedOf(guest)).toEqual([
    [false, 'otter-1', false],
    [false, 'heron-1', true],
  ])
  expect(await usedOf(lender)).toEqual([[true, 'heron-1', true]])
  await db().server.update({ where: { id: used }, data: { goneAt: new Date() } })
  expect(await usedOf(lender)).toEqual([[true, 'otter-1', true]])
  expect(await usedOf(guest)).toEqual([
    [false, 'otter-1', false],
    [false, 'blog.heron.example', false],
  ])
})
