/** Which part of the audit log to show, parsed from an untrusted query. */
import 'server-only'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { isKind, isResult, type Kind, type Result } from './words'

export type ActivityFilter = {
  /** A user's id: includes what the user did and what was done to their account. */
  person: string | null
  kind: Kind | null
  outcome: Result | null
  /** Part of the target's name. */
  target: string
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
  const before = /^\d{1,15}$/.test(text('before')) ? Number(text('before')) : null
  return {
    person: isOpaqueId(text('person')) ? text('person') : null,
    kind: isKind(kind) ? kind : null,
    outcome: isResult(outcome) ? outcome : null,
    target: text('target').slice(0, maxTargetLength),
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

function dayOf(text: string): string | null {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // Excludes dates such as 31 February, which Date would turn into a day of March.
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

const dayMs = 86_400_000

/**
 * When a day begins in a time zone, after adding `later` whole days.
 * @param day YYYY-MM-DD
 */
export function startOfDay(day: string, zone: string, later = 0): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + later * dayMs
  // The offset at the exact moment counts; the second lookup is for days on which it changes.
  const near = wall - offsetMs(new Date(wall), zone)
  return new Date(wall - offsetMs(new Date(near), zone))
}

function offsetMs(at: Date, zone: string): number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...fields }).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at.getTime()
}
