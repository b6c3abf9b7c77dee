/** Reads the form in which access is given or changed. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Effect } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { findVisibleNames, serversVisibleTo, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { cleanLabel, labelRefusal } from '@/lib/portal/subjects/labels/label-name'
import type { NamedScope } from '@/lib/text/access'
import { toAsciiDomain } from '@/lib/text/ascii-domain'

/** names: of the scopes, in their order. */
export type AskedAccess = {
  subjects: 'all' | string[]
  effects: Effect[]
  root: boolean
  scopes: GrantScope[]
  names: NamedScope[]
  /** Null: from now on, or since it began. */
  from: Date | null
  until: Date | null
  why: string
}

type Field = OwnInput['field']
type Part<T> = { value: T } | { refusal: Record<string, string> }

const maxNames = 50
const maxWhy = 200
const maxMs = 10 * 366 * 86_400_000

const effects: readonly Effect[] = ['read', 'export', 'change', 'destroy']

/**
 * Fields: subjects (ids joined by commas, or *), effects (joined by commas), root ("1"), where (everything, named, label, server or site)
 * with names, label or placeId, from and until (ISO, or empty) and why.
 */
export async function readAccessForm(actor: Person, field: Field): Promise<Outcome<AskedAccess>> {
  const work = readWork(field)
  const [where, period] = [await readWhere(actor, field), readPeriod(field)]
  const refusals = [work, where, period].map((part) => ('refusal' in part ? part.refusal : {}))
  if ('refusal' in work || 'refusal' in where || 'refusal' in period) {
    return { ok: false, problem: problem('invalid', { fields: Object.assign({}, ...refusals) }) }
  }
  return { ok: true, data: { ...work.value, ...where.value, ...period.value, why: field('why').trim().slice(0, maxWhy) } }
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

function readWork(field: Field): Part<Pick<AskedAccess, 'subjects' | 'effects' | 'root'>> {
  const [named, asked] = [split(field('subjects')), new Set(split(field('effects')))]
  const chosen = effects.filter((effect) => asked.has(effect))
  const all = field('subjects') === '*'
  if (!all && (named.length === 0 || !named.every((each) => Object.hasOwn(contract, each))))
    return { refusal: { subjects: 'Choose what.' } }
  if (chosen.length === 0) return { refusal: { effects: 'Choose what they may do.' } }
  return { value: { subjects: all ? 'all' : [...new Set(named)], effects: chosen, root: field('root') === '1' } }
}

function readPeriod(field: Field): Part<Pick<AskedAccess, 'from' | 'until'>> {
  const [from, until] = [readFrom(field('from')), readUntil(field('until'))]
  if ('refusal' in from || 'refusal' in until) {
    return { refusal: { ...('refusal' in from && from.refusal), ...('refusal' in until && until.refusal) } }
  }
  if (from.value !== null && until.value !== null && until.value <= from.value) {
    return { refusal: { until: 'Choose an end that is after the start.' } }
  }
  return { value: { from: from.value, until: until.value } }
}

// A form has minutes, so its present minute has begun.
const minuteMs = 60_000

/** Empty for at once. */
function readFrom(text: string): Part<Date | null> {
  if (text === '') return { value: null }
  const from = new Date(text)
  if (Number.isNaN(from.getTime())) return { refusal: { from: 'Enter a date and a time such as 2026-11-28 14:05.' } }
  if (from.getTime() <= Date.now() - minuteMs) return { refusal: { from: 'Choose a time that is not over yet, or leave it empty.' } }
  return from.getTime() > Date.now() + maxMs ? { refusal: { from: 'Choose a time within the next ten years.' } } : { value: from }
}

/** Without another start, what has begun stays as it was, and what has not begins now. */
export const begunBy = (from: Date): Date => new Date(Math.min(from.getTime(), Date.now()))

/** Empty for no end. */
function readUntil(text: string): Part<Date | null> {
  if (text === '') return { value: null }
  const until = new Date(text)
  if (Number.isNaN(until.getTime())) return { refusal: { until: 'Enter a date and a time such as 2026-11-28 14:05.' } }
  if (until.getTime() <= Date.now()) return { refusal: { until: 'Choose a time that is not over yet.' } }
  return until.getTime() > Date.now() + maxMs ? { refusal: { until: 'Choose a time within the next ten years.' } } : { value: until }
}

type Where = Pick<AskedAccess, 'scopes' | 'names'>

async function readWhere(actor: Person, field: Field): Promise<Part<Where>> {
  const where = field('where')
  if (where === 'everything') return { value: { scopes: [{ kind: 'everything' }], names: [{ kind: 'everything' }] } }
  if (where === 'server' || where === 'site') return findPlace(actor, where, field('placeId'))
  if (where === 'named') return findNamed(actor, split(field('names').replaceAll('\n', ',')))
  if (where !== 'label') return { refusal: { where: 'Choose where.' } }
  const name = cleanLabel(field('label'))
  return name === null
    ? { refusal: { label: labelRefusal } }
    : { value: { scopes: [{ kind: 'label', name }], names: [{ kind: 'label', name }] } }
}

async function findPlace(actor: Person, kind: 'server' | 'site', id: string): Promise<Part<Where>> {
  const name = isOpaqueId(id) ? (await findVisibleNames(actor, kind, [id])).get(id) : undefined
  return name === undefined
    ? { refusal: { where: 'Choose a server or site that is listed.' } }
    : { value: { scopes: [{ kind, id }], names: [{ kind, name }] } }
}

/** Servers by their names, sites by their domains. */
async function findNamed(actor: Person, typed: readonly string[]): Promise<Part<Where>> {
  const refusal = (names: string): Part<Where> => ({ refusal: { names } })
  if (typed.length === 0) return refusal('Enter the name of a server or the domain of a site.')
  if (typed.length > maxNames) return refusal(`Enter at most ${maxNames} names, or use a label.`)
  const domains = typed.map((each) => toAsciiDomain(each) ?? each)
  const [servers, sites] = await Promise.all([
    db().server.findMany({
      where: { AND: [await serversVisibleTo(actor), { name: { in: [...typed] } }] },
      select: { id: true, name: true },
    }),
    db().site.findMany({ where: { AND: [await sitesVisibleTo(actor), { domain: { in: domains } }] }, select: { id: true, domain: true } }),
  ])
  const found: Where = { scopes: [], names: [] }
  for (const [at, name] of typed.entries()) {
    const matches = [
      ...servers.filter((each) => each.name === name).map(({ id }) => ({ kind: 'server' as const, id, name })),
      ...sites.filter(({ domain }) => domain === domains[at]).map(({ id, domain }) => ({ kind: 'site' as const, id, name: domain })),
    ]
    const [match, ...more] = matches
    if (!match) return refusal(`No server or site is called ${name}.`)
    if (more.length > 0) return refusal(`Several are called ${name}. Add the access on the page of the one that you mean.`)
    if (found.scopes.some((scope) => 'id' in scope && scope.id === match.id)) continue
    found.scopes.push({ kind: match.kind, id: match.id })
    found.names.push({ kind: match.kind, name: match.name })
  }
  return { value: found }
}
