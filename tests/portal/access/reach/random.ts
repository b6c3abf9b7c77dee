/** Random teams with everything that decides who can do what. */
import type { Loan } from '@/lib/portal/access/loans/loan'
import type { ReachChange } from '@/lib/portal/access/reach/change'
import type { ListedPlace, ReachKey, ReachMember, ReachTeam } from '@/lib/portal/access/reach/team'
import type { Chance } from '@/tests/support/seeds'
import { makeCase, makeGrant, people, places } from '../grants/random'

/** What is given often enough that many can do something. */
const broad = { subjects: 'all', effects: ['read', 'export', 'change', 'destroy'], root: true, from: 0, until: null } as const

const roles = ['owner', 'admin', 'operator', 'operator', 'viewer', 'guest'] as const

/** At time `now`, members, grants and loans have begun and ended, or not yet. */
export function makeTeam(chance: Chance): { team: ReachTeam; now: number } {
  const { grants: made, labels, now } = makeCase(chance)
  const grants = made.map((grant) => (chance.below(3) === 0 ? { ...grant, ...broad } : grant))
  const members = people.map((userId): ReachMember => {
    const role = chance.pick(roles)
    return { userId, role, endsAt: chance.below(4) === 0 ? chance.below(24) : null }
  })
  const keys = [null, ...people, people[0] ?? null].map(
    (ownerId, index): ReachKey => ({ id: `key${index}`, ownerId, acts: chance.below(5) > 0 }),
  )
  const loans = Array.from({ length: chance.below(16) }, (_, index): Loan => {
    const key = chance.pick(keys.slice(1))
    const toTeam = chance.below(4) === 0 ? { userId: null, role: null } : {}
    const given = { ...makeGrant(chance, index), ...(chance.below(2) === 0 && broad) }
    return { ...given, ...toTeam, id: `loan${index}`, connectionId: key.id, ownerId: key.ownerId ?? '' }
  })
  const listed = places.flatMap((place): ListedPlace[] => {
    if (place.kind === 'everywhere') return []
    return [{ place, keyIds: keys.filter(() => chance.below(3) === 0).map(({ id }) => id) }]
  })
  return { team: { members, grants, loans, labels, keys, places: listed }, now }
}

/** Of a member, or of a grant, which is as broad as it can be as often as not. */
export function makeChange(chance: Chance, { grants }: ReachTeam): ReachChange {
  const [userId, grantId] = [chance.pick(people), grants.length > 0 ? chance.pick(grants).id : '']
  const made = { ...makeGrant(chance, grants.length), ...(chance.below(2) === 0 && broad), id: 'new' }
  return chance.pick<ReachChange>([
    { kind: 'removeMember', userId },
    { kind: 'changeRole', userId, role: chance.pick(roles) },
    { kind: 'setEnd', userId, endsAt: chance.below(2) === 0 ? null : chance.below(24) },
    { kind: 'endGrant', grantId },
    { kind: 'giveGrant', grant: made },
  ])
}
