/** Compiled loans, compared with a walk through all of them, and at the edges. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { compileRight, isAllowed } from '@/lib/portal/access/grants/compile'
import type { Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import { compileLending, mayUse, rankOf } from '@/lib/portal/access/loans/compile'
import type { Loan } from '@/lib/portal/access/loans/loan'
import { type Chance, openChance } from '@/tests/support/seeds'
import { oracleAllows } from '../grants/oracle'
import { makeCase, makeGrant, needs, people, places } from '../grants/random'
import { type Key, oracleLends } from './oracle'

const keys: readonly Key[] = [
  { id: 'key of the team', ownerId: null },
  ...people.map((ownerId) => ({ id: `key of ${ownerId}`, ownerId })),
  { id: 'another key', ownerId: people[0] ?? '' },
]

function makeLoan(chance: Chance, index: number): Loan {
  const key = chance.pick(keys.slice(1))
  const grant = makeGrant(chance, index)
  const toTeam = chance.below(4) === 0 ? { userId: null, role: null } : {}
  return { ...grant, ...toTeam, connectionId: key.id, ownerId: key.ownerId ?? '' }
}

const cases = 10_000

test(`in ${cases} random teams, role, grants and loans together allow what a walk through all of them does`, () => {
  const chance = openChance()
  const answers = { allowed: 0, 'without access': 0, 'without a key': 0, seen: 0, hidden: 0 }
  for (let run = 0; run < cases; run += 1) {
    const given = makeCase(chance)
    const loans = Array.from({ length: chance.below(24) }, (_, index) => makeLoan(chance, index))
    const [need, place, key] = [chance.pick(needs), chance.pick(places), chance.pick(keys)]
    const lending = compileLending(given.grantee, loans, given.labels, given.now)
    const { userId } = given.grantee
    const [lent, seen] = [mayUse(key, userId, lending, place, need), mayUse(key, userId, lending, place)]
    const granted = isAllowed(compileRight(given.grantee, given.grants, given.labels, given.now), need, place)
    const expected = [oracleLends(given, loans, key, place, need, needs), oracleLends(given, loans, key, place, null, needs)]
    if (lent !== expected[0] || seen !== expected[1] || granted !== oracleAllows(given, need, place)) {
      expect.fail(`SEED=${chance.seed}, run ${run}: ${JSON.stringify({ lent, seen, expected, need, place, key, loans, given })}`)
    }
    answers[granted ? (lent ? 'allowed' : 'without a key') : 'without access'] += 1
    answers[seen ? 'seen' : 'hidden'] += 1
  }
  process.stdout.write(`SEED=${chance.seed}: ${JSON.stringify(answers)}\n`)
  expect(Math.min(...Object.values(answers)), `SEED=${chance.seed}`).toBeGreaterThan(cases / 100)
})

const loan: Loan = {
  id: 'loan',
  connectionId: 'key',
  ownerId: 'lender',
  userId: 'borrower',
  role: null,
  scopes: [{ kind: 'site', id: 'site1' }],
  subjects: ['logs'],
  effects: ['read'],
  operations: [],
  root: false,
  from: 1_000,
  until: 2_000,
}
const key = { id: 'key', ownerId: 'lender' }
const site: Place = { kind: 'site', siteId: 'site1', serverId: 'server1' }
const read = needOf(contract.logs.fetchSite)

test('a loan is valid from its first millisecond until the one before its end, and says when it changes', () => {
  const at = (now: number) => compileLending({ userId: 'borrower', role: 'guest' }, [loan], [], now)
  expect([999, 1_000, 1_999, 2_000].map((now) => mayUse(key, 'borrower', at(now), site, read))).toEqual([false, true, true, false])
  expect([999, 1_000, 1_999, 2_000].map((now) => at(now).changesAt)).toEqual([1_000, 2_000, 2_000, Number.POSITIVE_INFINITY])
})

test('a loan to the whole team is for every member, the lender uses the key without one, and a program borrows nothing', () => {
  const toTeam = { ...loan, userId: null }
  const uses = (userId: string | null) =>
    mayUse(key, userId, compileLending({ userId, role: 'operator' }, [toTeam], [], 1_500), { kind: 'server', serverId: 'server1' }, read)
  const usesSite = (userId: string | null) =>
    mayUse(key, userId, compileLending({ userId, role: 'operator' }, [toTeam], [], 1_500), site, read)
  expect(['anybody', 'lender', null].map(usesSite)).toEqual([true, true, false])
  expect(['anybody', 'lender', null].map(uses)).toEqual([false, true, false])
})

test('own connections come before those of the team, and lent ones last', () => {
  const ranked = [key, { id: 'team', ownerId: null }, { id: 'own', ownerId: 'borrower' }].toSorted(
    (one, other) => rankOf(one, 'borrower') - rankOf(other, 'borrower'),
  )
  expect(ranked.map(({ id }) => id)).toEqual(['own', 'team', 'key'])
})
