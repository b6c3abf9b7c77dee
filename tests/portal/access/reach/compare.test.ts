/** What a change makes of the table: which rows are lost and gained, and whether that matters. */
import { expect, test } from 'vitest'
import type { Grant } from '@/lib/portal/access/grants/grant'
import { applyChange, type ReachChange } from '@/lib/portal/access/reach/change'
import { compareReach } from '@/lib/portal/access/reach/compare'
import { computeReach, includes } from '@/lib/portal/access/reach/compute'
import type { ReachTeam } from '@/lib/portal/access/reach/team'
import { openChance, seededRuns } from '@/tests/support/seeds'
import { needs, places } from '../grants/random'
import { makeTeam } from './random'

const backups: Grant = {
  id: 'backups',
  userId: 'ana',
  role: null,
  scopes: [{ kind: 'site', id: 'shop' }],
  subjects: ['backups'],
  effects: ['read'],
  operations: [],
  root: false,
  from: 0,
  until: null,
}
const everything: Grant = {
  ...backups,
  id: 'everything',
  role: 'operator',
  userId: null,
  scopes: [{ kind: 'everything' }],
  subjects: 'all',
  effects: ['read', 'change'],
}
const team: ReachTeam = {
  members: [
    { userId: 'ana', role: 'operator', endsAt: null },
    { userId: 'ben', role: 'operator', endsAt: null },
  ],
  grants: [backups, everything],
  loans: [],
  labels: [],
  keys: [
    { id: 'team', ownerId: null, acts: true },
    { id: 'own', ownerId: 'ben', acts: true },
  ],
  places: [
    { place: { kind: 'site', siteId: 'shop', serverId: 'web' }, keyIds: ['team'] },
    { place: { kind: 'server', serverId: 'web' }, keyIds: ['own'] },
  ],
}

const differencesOf = (change: ReachChange, given = team) =>
  compareReach(computeReach(given, 1), computeReach(applyChange(given, change), 1)).map(({ row, difference, idle }) =>
    [row.userId, row.grantId, difference, ...(idle ? ['idle'] : [])].join(' '),
  )

test('what is lost with a grant is idle if another one still gives it, and what is gained if another one gave it', () => {
  expect(differencesOf({ kind: 'endGrant', grantId: 'backups' })).toEqual([
    'ana backups lost idle',
    'ana everything same',
    'ben everything same',
  ])
  expect(differencesOf({ kind: 'endGrant', grantId: 'everything' })).toEqual([
    'ana backups same',
    'ana everything lost',
    'ben everything lost',
  ])
  const again = (grant: Partial<Grant>) => differencesOf({ kind: 'giveGrant', grant: { ...backups, id: 'new', ...grant } }).at(-1)
  expect(again({})).toBe('ana new gained idle')
  expect(again({ effects: ['read', 'destroy'] })).toBe('ana new gained')
})

test('other access that ends sooner does not make up for what is lost', () => {
  const ending = { ...team, grants: [backups, { ...everything, until: 2_000 }] }
  expect(differencesOf({ kind: 'endGrant', grantId: 'backups' }, ending)[0]).toBe('ana backups lost')
})

test('another role shows the row as it was and as it will be; a guest loses their grants, and a viewer their own connection', () => {
  expect(differencesOf({ kind: 'changeRole', userId: 'ben', role: 'viewer' })).toEqual([
    'ana backups same',
    'ana everything same',
    'ben everything lost',
  ])
  expect(differencesOf({ kind: 'changeRole', userId: 'ana', role: 'guest' })).toEqual([
    'ana backups lost',
    'ana everything lost',
    'ben everything same',
  ])
  const [lost, gained] = compareReach(
    computeReach(team, 1),
    computeReach(applyChange(team, { kind: 'setEnd', userId: 'ana', endsAt: 900 }), 1),
  )
  expect([lost?.difference, lost?.row.until, gained?.difference, gained?.row.until]).toEqual(['lost', null, 'gained', 900])
})

test('who is removed loses all rows, and so does whoever used their connection', () => {
  const loan = { ...everything, id: 'loan', role: null, connectionId: 'own', ownerId: 'ben' }
  const lent = { ...team, loans: [loan] }
  expect(differencesOf({ kind: 'removeMember', userId: 'ben' }, lent)).toEqual([
    'ana backups same',
    'ana everything same',
    'ana everything lost',
    'ben everything lost',
  ])
})

test('in random teams, an idle row changes nothing that its member can do, and any other one does', () => {
  const chance = openChance()
  const counted = { idle: 0, real: 0 }
  for (let run = 0; run < seededRuns(5_000); run += 1) {
    const { team: given, now } = makeTeam(chance)
    const grantId = chance.pick(given.grants.length > 0 ? given.grants : [backups]).id
    const before = computeReach(given, now)
    const after = computeReach(applyChange(given, { kind: 'endGrant', grantId }), now)
    for (const { row, difference, idle } of compareReach(before, after)) {
      if (difference === 'same') continue
      const later = after.filter(
        ({ userId, until }) => userId === row.userId && (until === null || (row.until !== null && row.until <= until)),
      )
      const missing = needs.some(({ id }) =>
        places.some((place) => includes(row, id, place) && !later.some((other) => includes(other, id, place))),
      )
      expect(idle, `SEED=${chance.seed}, run ${run}`).toBe(!missing)
      counted[idle ? 'idle' : 'real'] += 1
    }
  }
  expect(Math.min(...Object.values(counted)), `SEED=${chance.seed}`).toBeGreaterThan(5)
})
