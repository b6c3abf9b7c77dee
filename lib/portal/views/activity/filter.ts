/** Which part of the audit log to show, parsed from an untrusted query. */
import 'server-only'
import { dayOf } from '@/lib/portal/base/days'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { isKind, isResult, type Kind, type Result } from './words'

export type ActivityFilter = {
  /** A user's id: includes what the user did and what was done to their account. */
  person: string | null
  kind: Kind | null
  outcome: Result | null
  /** Part of the target's name. */
  target: string
  /** The id of the server or site that it was done to. */
  object: string | null
  /** A connection's id: includes what was done through it and to it. */
  connection: string | null
  /** Days as YYYY-MM-DD, inclusive, in the reader's time zone. */
  from: string | null
  to: string | null
  /** Only rows with a lower number, for the next page. */
  before: number | null
}

type Query = Readonly<Record<string, string | string[] | undefined>>

const maxTargetLength = 100

/** Ignores members that cannot be parsed. */
export function readFilter(query: Query): ActivityFilter {
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const [kind, outcome] = [text('kind'), text('outcome')]
  const idOf = (name: string): string | null => (isOpaqueId(text(name)) ? text(name) : null)
  const before = /^\d{1,15}$/.test(text('before')) ? Number(text('before')) : null
  return {
    person: idOf('person'),
    kind: isKind(kind) ? kind : null,
    outcome: isResult(outcome) ? outcome : null,
    target: text('target').slice(0, maxTargetLength),
    object: idOf('object'),
    connection: idOf('connection'),
    from: dayOf(text('from')),
    to: dayOf(text('to')),
    before,
  }
}

/** The query string for a filter, the inverse of readFilter; empty, or with its question mark. */
export function writeFilter(filter: ActivityFilter): string {
  const entries = Object.entries(filter).filter(([, value]) => value !== null && value !== '')
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}
