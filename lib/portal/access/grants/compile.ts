/** Compiles grants into rules that answer quickly, also for thousands of servers. Pure: the same input gives the same right. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import type { Effect } from '@/lib/contract/operation'
import { mayRun } from '../roles'
import type { Grant, Grantee, Labelled, Need, Place } from './grant'

/** Server and site ids that a grant is over. Sites of these servers are included, though their ids are not among `sites`. */
type Reach = { everything: boolean; servers: ReadonlySet<string>; sites: ReadonlySet<string> }

/** A grant that is valid, as far as the role allows it. */
type Rule = Reach & {
  grantId: string
  subjects: 'all' | ReadonlySet<string>
  effects: ReadonlySet<Effect>
  operations: ReadonlySet<string>
  root: boolean
}

/** What one actor may do, from compiledAt until before changesAt (ms since 1970), unless grants or labels are changed. */
export type Right = {
  rules: readonly Rule[]
  /** What the actor sees at all: whatever a rule is over. */
  seen: Reach
  compiledAt: number
  changesAt: number
}

const allEffects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

export function compileRight(grantee: Grantee, grants: readonly Grant[], labels: readonly Labelled[], now: number): Right {
  const own = grants.filter((grant) => isFor(grantee, grant))
  const labelled = indexLabels(labels)
  const rules = own.filter((grant) => isValid(grant, now)).map((grant) => toRule(grantee, grant, labelled))
  const useful = rules.filter(({ effects, operations, subjects }) => operations.size > 0 || (effects.size > 0 && allowsAny(subjects)))
  const changes = own.flatMap(({ from, until }) => [from, ...(until === null ? [] : [until])]).filter((at) => at > now)
  return { rules: useful, seen: unite(useful), compiledAt: now, changesAt: Math.min(Number.POSITIVE_INFINITY, ...changes) }
}

/** Whether a grant is this member’s, or that of everybody with their role. */
export const isFor = ({ userId, role }: Grantee, grant: Grant): boolean =>
  grant.userId === null ? grant.role === role : grant.userId === userId

const isValid = ({ from, until }: Grant, now: number): boolean => from <= now && (until === null || now < until)

const allowsAny = (subjects: Rule['subjects']): boolean => subjects === 'all' || subjects.size > 0

type LabelIndex = ReadonlyMap<string, { server: string[]; site: string[] }>

/** By the list: the rights of all members of a team are compiled from the same one, which is never changed. */
const indexed = new WeakMap<readonly Labelled[], LabelIndex>()

function indexLabels(labels: readonly Labelled[]): LabelIndex {
  const known = indexed.get(labels)
  if (known) return known
  const index = new Map<string, { server: string[]; site: string[] }>()
  for (const { kind, id, name } of labels) {
    const named = index.get(name) ?? { server: [], site: [] }
    named[kind].push(id)
    index.set(name, named)
  }
  indexed.set(labels, index)
  return index
}

function toRule({ role }: Grantee, grant: Grant, labelled: LabelIndex): Rule {
  const servers = new Set<string>()
  const sites = new Set<string>()
  for (const scope of grant.scopes) {
    if (scope.kind === 'server') servers.add(scope.id)
    if (scope.kind === 'site') sites.add(scope.id)
    if (scope.kind !== 'label') continue
    for (const id of labelled.get(scope.name)?.server ?? []) servers.add(id)
    for (const id of labelled.get(scope.name)?.site ?? []) sites.add(id)
  }
  return {
    grantId: grant.id,
    everything: grant.scopes.some(({ kind }) => kind === 'everything'),
    servers,
    sites,
    subjects: grant.subjects === 'all' ? 'all' : new Set(grant.subjects),
    effects: new Set(allEffects.filter((effect) => grant.effects.includes(effect) && mayRun(role, effect))),
    operations: new Set(grant.operations.filter((id) => mayRunOperation(role, id))),
    root: grant.root,
  }
}

/** An operation that does not exist, or no longer, is in no right. */
function mayRunOperation(role: Grantee['role'], id: string): boolean {
  const operation = findOperation(id)
  return operation !== undefined && mayRun(role, operation.effect)
}

const unite = (rules: readonly Rule[]): Reach => ({
  everything: rules.some(({ everything }) => everything),
  servers: new Set(rules.flatMap(({ servers }) => [...servers])),
  sites: new Set(rules.flatMap(({ sites }) => [...sites])),
})

export const reaches = ({ everything, servers, sites }: Reach, place: Place): boolean => {
  if (everything) return true
  if (place.kind === 'everywhere') return false
  if (place.kind === 'server') return servers.has(place.serverId)
  return sites.has(place.siteId) || (place.serverId !== null && servers.has(place.serverId))
}

type About = Pick<Need, 'subject' | 'grantedWith'>

/** Whether what an operation is about is among these subjects, none of which is `all`. */
export const isAbout = ({ subject, grantedWith }: About, subjects: Pick<ReadonlySet<string>, 'has'>): boolean =>
  subjects.has(subject) || (grantedWith !== undefined && subjects.has(grantedWith))

const permits = ({ subjects, effects, operations, root }: Rule, need: Need): boolean => {
  if (need.root && !root) return false
  return operations.has(need.id) || (effects.has(need.effect) && (subjects === 'all' || isAbout(need, subjects)))
}

/** Whether the right includes an operation at a place. */
export const isAllowed = ({ rules }: Right, need: Need, place: Place): boolean =>
  rules.some((rule) => reaches(rule, place) && permits(rule, need))

/** Whether the server or site may be known to exist. */
export const isSeen = ({ seen }: Right, place: Place): boolean => reaches(seen, place)

type Followable = About & Pick<Need, 'id'>

/** Whether a rule lets somebody follow what an operation does: one that it names, or one of its subjects, whoever runs it. */
export const isFollowed = ({ subjects, operations }: Rule, work: Followable): boolean =>
  operations.has(work.id) || subjects === 'all' || isAbout(work, subjects)

/** Operations that can be followed at the same servers and sites. */
export type Followed = { operations: string[]; reach: Reach }

/** Which of these operations can be followed where; those that cannot be followed anywhere are left out. */
export function groupFollowed({ rules }: Right, operations: readonly Followable[]): Followed[] {
  const groups = new Map<string, Followed>()
  for (const operation of operations) {
    const following = rules.flatMap((rule, index) => (isFollowed(rule, operation) ? [{ rule, index }] : []))
    if (following.length === 0) continue
    const key = following.map(({ index }) => index).join(' ')
    const group = groups.get(key) ?? { operations: [], reach: unite(following.map(({ rule }) => rule)) }
    group.operations.push(operation.id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const mostNamed = 500

/** Whether there are so many ids that a statement which names them takes longer than reading rows that are left out afterwards. */
export const namesMany = (all: readonly Pick<Reach, 'servers' | 'sites'>[]): boolean =>
  all.reduce((sum, { servers, sites }) => sum + servers.size + sites.size, 0) > mostNamed

/** Whether nothing is out of sight. */
export const seesAll = ({ rules }: Right): boolean => rules.some(({ everything, subjects }) => everything && subjects === 'all')

/** Whether nothing is missing: whatever there is on servers and sites, and whatever later versions add. */
export const isFull = ({ rules }: Right): boolean =>
  rules.some(
    ({ everything, subjects, effects, root }) =>
      everything && subjects === 'all' && root && allEffects.every((effect) => effects.has(effect)),
  )

/** Whether anything may be known to exist. */
export const seesAnything = ({ seen }: Right): boolean => seen.everything || seen.servers.size > 0 || seen.sites.size > 0
