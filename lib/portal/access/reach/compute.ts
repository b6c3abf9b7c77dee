/** Who can do what in a team, and through which grant: what the decision about each request says, for all members and places at once. */
// Pure. It compiles and asks as the decision does, one grant and one loan at a time. docs/decisions/072-reach.md
import 'server-only'
import { operations } from '@/lib/contract'
import type { Effect } from '@/lib/contract/operation'
import type { Role } from '@/lib/portal/identity/actor'
import { compileRight, isAbout, isAllowed, isFor, isSeen, type Right } from '../grants/compile'
import type { Grant, Grantee, Labelled, Need, Place } from '../grants/grant'
import { needOf, targetKindOf } from '../grants/needs'
import { compileLending, isForeign, type Lending, limitToLender, mayUse } from '../loans/compile'
import type { Loan } from '../loans/loan'
import { listAllThrough, listThrough } from './extent'
import { idOf, type ListedPlace, type ReachKey, type ReachMember, type ReachTeam } from './team'

/** The kinds of place at which operations act. */
type Kind = Place['kind']

/** What a row gives in general, as grants say it; operations: single ones that the rest does not include. */
export type ReachWork = { subjects: 'all' | readonly string[]; effects: readonly Effect[]; operations: readonly string[]; root: boolean }

/** What one member can do by one grant with the same connections: all of these operations at all of these places of their kind. */
export type ReachRow = {
  userId: string
  role: Role
  grantId: string
  /** The loan by which the connection is used; null for connections of the team and the member's own. */
  loanId: string | null
  keyIds: readonly string[]
  work: ReachWork
  operations: Readonly<Record<Kind, ReadonlySet<string>>>
  /** By their ids. */
  places: ReadonlyMap<string, ListedPlace>
  /** Over all servers and sites, also later ones. */
  everything: boolean
  /** ms since 1970; until null: no end. */
  from: number
  until: number | null
}

/** What adds a server acts on a service as a whole, a new site on its server. Reads of a whole service list only what is seen elsewhere. */
const needsAt: Readonly<Record<Kind, readonly Need[]>> = {
  server: operations.filter((each) => targetKindOf(each) === 'server' || isOnChosenServer(each)).map(needOf),
  site: operations.filter((each) => targetKindOf(each) === 'site').map(needOf),
  everywhere: operations
    .filter((each) => targetKindOf(each) === 'connection' && each.effect !== 'read' && !isOnChosenServer(each))
    .map(needOf),
}

function isOnChosenServer(operation: (typeof operations)[number]): boolean {
  return targetKindOf(operation) === 'connection' && Object.hasOwn(operation.fields, 'server')
}

/** By member, then by grant, in the order given. onlyUserId: of one member; of all if it is absent. */
export function computeReach(team: ReachTeam, now: number, onlyUserId?: string): ReachRow[] {
  const keys = new Map(team.keys.filter(({ acts }) => acts).map((key) => [key.id, key]))
  const labelsOf = indexLabels(team.labels)
  const members = team.members.filter(({ endsAt }) => endsAt === null || now < endsAt)
  const lenders = new Map(members.map((member) => [member.userId, member]))
  const loans = team.loans.flatMap((loan) => (keys.has(loan.connectionId) ? (limitToLender(loan, lenders.get(loan.ownerId)) ?? []) : []))
  const asked = members.filter(({ userId }) => onlyUserId === undefined || userId === onlyUserId)
  return asked.flatMap((member) => {
    const routes = findRoutes(member, [...keys.values()], { loans, labelsOf, now })
    // Most grants of a team are those of others: nothing is compiled for them.
    const own = team.grants.filter((grant) => isFor(member, grant))
    return own.flatMap((grant) => {
      const right = compileRight(member, [grant], labelsOf(grant), now)
      if (right.rules.length === 0) return []
      const seen = right.seen.everything ? team.places : team.places.filter(({ place }) => isSeen(right, place))
      return routes.flatMap((route) => toRow(member, { grant, right, seen }, route) ?? [])
    })
  })
}

type LabelsOf = (given: Pick<Grant, 'scopes'>) => readonly Labelled[]

function indexLabels(labels: readonly Labelled[]): LabelsOf {
  const byName = new Map<string, Labelled[]>()
  for (const label of labels) {
    const named = byName.get(label.name)
    if (named) named.push(label)
    else byName.set(label.name, [label])
  }
  return ({ scopes }) => scopes.flatMap((scope) => (scope.kind === 'label' ? (byName.get(scope.name) ?? []) : []))
}

/** Connections that a member may use without a loan, or one by a loan. lending: of that loan alone. */
type Route = { keys: ReadonlyMap<string, ReachKey>; loan: Loan | null; lending: Lending }

const unlent: Lending = { rights: new Map(), compiledAt: 0, changesAt: Number.POSITIVE_INFINITY }

type Lent = { loans: readonly Loan[]; labelsOf: LabelsOf; now: number }

function findRoutes(member: Grantee, keys: readonly ReachKey[], { loans, labelsOf, now }: Lent): Route[] {
  const byId = (some: readonly ReachKey[]) => new Map(some.map((key) => [key.id, key]))
  const free: Route = { keys: byId(keys.filter((key) => !isForeign(key, member.userId))), loan: null, lending: unlent }
  const lent = loans.flatMap((loan): Route[] => {
    const lending = compileLending(member, [loan], labelsOf(loan), now)
    return lending.rights.size === 0 ? [] : [{ keys: byId(keys.filter(({ id }) => id === loan.connectionId)), loan, lending }]
  })
  return [free, ...lent]
}

type Given = { grant: Grant; right: Right; seen: readonly ListedPlace[] }

/** Null if the grant gives nothing through these connections. */
function toRow(member: ReachMember, { grant, right, seen }: Given, { keys, loan, lending }: Route): ReachRow | null {
  const mayUseAt = (keyId: string, place: Place, need?: Need): boolean => {
    const key = keys.get(keyId)
    return key !== undefined && mayUse(key, member.userId, lending, place, need)
  }
  const everything = right.seen.everything && (loan === null || lending.rights.get(loan.connectionId)?.seen.everything === true)
  const keyIds = [...keys.keys()]
  const reaches = ({ place, keyIds: listing }: ListedPlace) => listing.some((id) => mayUseAt(id, place))
  const listed = everything
    ? listAllThrough(seen, `${loan === null ? 'without a loan' : 'lent'} ${keyIds.join(' ')}`, new Set(keyIds), reaches)
    : listThrough(seen, new Set(keyIds), reaches)
  // What one grant and one loan give does not depend on the place, so that one place of a kind answers for all of them.
  const allowedAt = (kind: 'server' | 'site'): Need[] => {
    const sample = listed.sample(kind)
    if (!sample) return []
    const { place, keyIds: listing } = sample
    return needsAt[kind].filter((need) => isAllowed(right, need, place) && listing.some((id) => mayUseAt(id, place, need)))
  }
  // No server is added through a lent connection.
  const adds = loan === null && keys.size > 0
  const everywhere = adds ? needsAt.everywhere.filter((need) => isAllowed(right, need, { kind: 'everywhere' })) : []
  const allowed = { server: allowedAt('server'), site: allowedAt('site'), everywhere }
  const { places, keyIds: used } = listed.over({ server: allowed.server.length > 0, site: allowed.site.length > 0 })
  if (places.size === 0 && everywhere.length === 0) return null
  const ends = [grant.until, loan?.until ?? null, member.endsAt].filter((at) => at !== null)
  return {
    userId: member.userId,
    role: member.role,
    grantId: grant.id,
    loanId: loan?.id ?? null,
    keyIds: everywhere.length > 0 ? keyIds : used,
    work: describeWork(right, loan && lending.rights.get(loan.connectionId), Object.values(allowed).flat()),
    operations: { server: idsOf(allowed.server), site: idsOf(allowed.site), everywhere: idsOf(everywhere) },
    places,
    everything,
    from: Math.max(grant.from, loan?.from ?? 0),
    until: ends.length === 0 ? null : Math.min(...ends),
  }
}

const idsOf = (needs: readonly Need[]): ReadonlySet<string> => new Set(needs.map(({ id }) => id))

/** What the rules of the grant, and of the loan, have in common. */
function describeWork({ rules }: Right, lent: Right | undefined | null, allowed: readonly Need[]): ReachWork {
  const both = [...rules, ...(lent?.rules ?? [])]
  const named = both.flatMap(({ subjects }) => (subjects === 'all' ? [] : [subjects]))
  const [first, ...others] = named
  const subjects = first ? [...first].filter((each) => others.every((other) => other.has(each))) : ('all' as const)
  const effects = (['read', 'export', 'change', 'destroy'] as const).filter((effect) => both.every((rule) => rule.effects.has(effect)))
  const isGeneral = (need: Need) => effects.includes(need.effect) && (subjects === 'all' || isAbout(need, new Set(subjects)))
  const single = new Set(allowed.filter((need) => !isGeneral(need)).map(({ id }) => id))
  return { subjects, effects, operations: [...single], root: both.every(({ root }) => root) }
}

/** Whether a row says that its member can run an operation at a place. */
export function includes(row: ReachRow, operation: string, place: Place): boolean {
  return row.operations[place.kind].has(operation) && (place.kind === 'everywhere' || row.places.has(idOf(place)))
}
