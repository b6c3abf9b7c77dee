/** Random teams with grants and labels, and where somebody could do something. */
import { operations } from '@/lib/contract'
import type { Grant, GrantScope, Labelled, Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import type { Chance } from '@/tests/support/seeds'
import type { Case } from './oracle'

export const needs = operations.map(needOf)
const effects = ['read', 'export', 'change', 'destroy'] as const
const roles = ['owner', 'admin', 'operator', 'viewer', 'guest'] as const
const subjects = [...new Set(operations.map(({ subject }) => subject))]

const some = <T>({ below }: Chance, choices: readonly T[], most: number): T[] =>
  Array.from({ length: below(most + 1) }, () => choices[below(choices.length)]).filter((one): one is T => one !== undefined)

const numbered = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index}`)
const [servers, sites, names] = [numbered('server', 4), numbered('site', 6), numbered('label', 3)]
export const people = numbered('person', 3)

/** A site is on the same server in all of a case. Some are on one that is not known. */
const serverOf = (site: string): string | null => (site === 'site5' ? null : (servers[Number(site.slice(4)) % 4] ?? null))

export const places: readonly Place[] = [
  { kind: 'everywhere' },
  ...servers.map((serverId) => ({ kind: 'server' as const, serverId })),
  ...sites.map((siteId) => ({ kind: 'site' as const, siteId, serverId: serverOf(siteId) })),
]

function makeScope(chance: Chance): GrantScope {
  const kind = chance.pick(['everything', 'server', 'server', 'site', 'site', 'site', 'label', 'label'] as const)
  if (kind === 'everything') return { kind }
  if (kind === 'label') return { kind, name: chance.pick(names) }
  return { kind, id: chance.pick(kind === 'server' ? servers : sites) }
}

export function makeGrant(chance: Chance, index: number): Grant {
  const toRole = chance.below(4) === 0
  const from = chance.below(8)
  return {
    id: `grant${index}`,
    userId: toRole ? null : chance.pick(people),
    role: toRole ? chance.pick(roles) : null,
    scopes: Array.from({ length: 1 + chance.below(4) }, () => makeScope(chance)),
    subjects: chance.below(4) === 0 ? 'all' : some(chance, subjects, 8),
    effects: some(chance, effects, 5),
    operations: some(chance, [...operations.map(({ id }) => id), 'gone.operation'], 2),
    root: chance.below(3) === 0,
    from,
    until: chance.below(2) === 0 ? null : from + chance.below(12),
  }
}

export function makeCase(chance: Chance): Case {
  const labels = Array.from(
    { length: chance.below(8) },
    (): Labelled =>
      chance.below(2) === 0
        ? { kind: 'server', id: chance.pick(servers), name: chance.pick(names) }
        : { kind: 'site', id: chance.pick(sites), name: chance.pick(names) },
  )
  const grants = Array.from({ length: chance.below(16) }, (_, index) => makeGrant(chance, index))
  return { grantee: { userId: chance.pick([...people, null]), role: chance.pick(roles) }, grants, labels, now: chance.below(16) }
}
