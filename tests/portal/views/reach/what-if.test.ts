/** “What if”: the table after a change that is not saved, for those who could make the change, as a page and as CSV. */
import { expect, test } from 'vitest'
import type { Person } from '@/lib/portal/identity/actor'
import { renderReach } from '@/lib/portal/views/reach/csv'
import { openReach } from '@/lib/portal/views/reach/open'
import { changeQuery } from '@/lib/portal/views/reach/what-if'
import { readCsv } from '@/tests/support/read-csv'
import { give } from '../../access/grants/scene'
import { lend, openLending } from '../../access/loans/scene'

type Query = Record<string, string>

async function open(actor: Person, query: Query) {
  const reach = await openReach(actor, query)
  if (!reach) throw new Error('The reader may not see it.')
  return reach
}

async function marked(actor: Person, query: Query) {
  const { all } = await open(actor, query)
  return all.map(({ who, what, difference, idle }) => `${who} ${difference}${idle ? ', idle' : ''}: ${what}`)
}

const backups = { subjects: 'backups', effects: 'read,change', root: '', where: 'named', names: 'shop.heron.example' }

test('who is removed loses everything, and so do those who use their connection; nothing is saved', async () => {
  await using lending = await openLending()
  const { team, owner, lender, idOf } = lending
  const guest = await team.join('guest')
  const site = { kind: 'site', id: idOf('shop.heron.example') } as const
  const grantId = await give(guest, site, { subjects: ['backups'] })
  await lend(lending, { scope: { kind: 'everything' }, to: { userId: guest.user.id }, subjects: ['backups'] })
  const of = { of: 'member', id: lender.user.id }
  expect(await marked(owner, of)).toEqual(['The operator same: do everything'])
  const removal = { ...of, if: 'removeMember', member: lender.user.id }
  const after = ['The operator lost: do everything', 'The guest lost: view the backups']
  expect(await marked(owner, removal)).toEqual(after)
  expect((await open(owner, removal)).whatIf?.sentence).toBe('If The operator is removed from the team')
  const { all } = await open(owner, { ...removal, text: 'shop' })
  const rows = readCsv([...renderReach(all, true)].join(''))
  expect(rows[0]?.at(-1)).toBe('after the change')
  expect(new Set(rows.slice(1).map((row) => row.at(-1)))).toEqual(new Set(['lost']))
  const ended = { of: 'site', id: site.id, if: 'endGrant', grant: grantId }
  expect(await marked(lender, of)).toEqual(['The operator same: do everything'])
  await expect(open(lender, ended)).rejects.toThrow()
  const connection = { of: 'connection', id: lending.connectionId }
  expect(await marked(owner, { ...connection, if: 'endGrant', grant: grantId })).toEqual([
    'The operator same: do everything',
    'The guest lost: view the backups',
  ])
  const { lines } = await open(owner, { ...connection, if: 'endGrant', grant: grantId })
  expect(lines.map(({ difference }) => difference)).toEqual(['lost', 'same'])
  expect(await marked(owner, of)).toEqual(['The operator same: do everything'])
})

test('another role, an end, and access that is added: what was there before is marked as idle', async () => {
  await using lending = await openLending()
  const { owner, lender } = lending
  const memberId = lender.user.id
  const of = { of: 'member', id: memberId }
  expect(await marked(owner, { ...of, if: 'changeRole', member: memberId, role: 'viewer' })).toEqual(['The operator lost: do everything'])
  expect(await marked(owner, { ...of, if: 'changeRole', member: memberId, role: 'admin' })).toEqual(['The operator same: do everything'])
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const { all } = await open(owner, { ...of, if: 'setEnd', member: memberId, endsOn: day })
  expect(all.map(({ difference, until, idle }) => [difference, until, idle])).toEqual([
    ['lost', null, false],
    ['gained', `${day}T23:59:59.999Z`, true],
  ])
  const given = { ...of, if: 'giveGrant', to: `member ${memberId}`, ...backups }
  // The owner does not see the servers of somebody’s own connection, so they are not found by name.
  expect((await open(owner, given)).refused?.fields).toEqual({ names: 'No server or site is called shop.heron.example.' })
  const everywhere = { ...given, where: 'everything', names: '' }
  expect(await marked(owner, everywhere)).toEqual([
    'The operator same: do everything',
    'The operator gained, idle: view and change the backups',
  ])
  expect((await open(owner, everywhere)).whatIf?.sentence).toBe('If The operator can view and change the backups of all servers and sites')
  expect(changeQuery({ ...everywhere, text: 'x', other: 'y' })).toEqual({
    if: 'giveGrant',
    to: `member ${memberId}`,
    subjects: 'backups',
    effects: 'read,change',
    where: 'everything',
  })
})

test('only those who could make a change can ask about it, and what is malformed is refused', async () => {
  await using lending = await openLending()
  const { team, owner, lender } = lending
  const [admin, guest] = [await team.join('admin'), await team.join('guest')]
  const refusal = async (actor: Person, query: Query) => {
    const { refused, all } = await open(actor, { of: 'member', id: actor.user.id, ...query })
    expect(all.every(({ difference }) => difference === 'same')).toBe(true)
    return refused && (Object.keys(refused.fields ?? {})[0] ?? refused.code)
  }
  const removal = (member: Person) => ({ if: 'removeMember', member: member.user.id })
  for (const actor of [lender, guest]) expect(await refusal(actor, removal(actor))).toBe('forbidden')
  expect(await refusal(admin, removal(owner))).toBe('if')
  expect(await refusal(admin, { if: 'changeRole', member: guest.user.id, role: 'owner' })).toBe('role')
  expect(await refusal(admin, { if: 'giveGrant', to: 'role owner', ...backups })).toBe('to')
  expect(await refusal(owner, { if: 'giveGrant', to: 'nobody', ...backups })).toBe('to')
  expect(await refusal(owner, { if: 'setEnd', member: guest.user.id, endsOn: '2020-01-01' })).toBe('endsOn')
  for (const query of [{ if: 'endGrant', grant: 'x' }, { if: 'nothing' }, { if: 'removeMember', member: '' }]) {
    expect(await refusal(owner, query)).toBe('if')
  }
  expect(await refusal(owner, {})).toBe(null)
})
