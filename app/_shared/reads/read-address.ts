import type { contract } from '@/lib/contract/index'
import type { Answer, Input, OperationDefinition } from '@/lib/contract/operation'
import type { PortalReads } from './portal-reads'

declare const answers: unique symbol

/** The address of one of the portal's reads. T: its answer. */
export type ReadAddress<T> = string & { readonly [answers]: T }

export type AnyRead = ReadAddress<unknown>

type Values<Placeholder extends string, Query extends string> = Readonly<Record<Placeholder, string> & Partial<Record<Query, string>>>

/** The placeholders of a path. */
type PlaceholderOf<Path extends string> = Path extends `${string}[${infer Name}]${infer Rest}` ? Name | PlaceholderOf<Rest> : never

type QueryOf<Path extends keyof PortalReads> = PortalReads[Path] extends { query: infer Query extends string } ? Query : never

type ValuesOf<Path extends keyof PortalReads> = Values<PlaceholderOf<Path>, QueryOf<Path>>

/** One of the portal's own reads: `portalRead('/api/jobs/[jobId]', { jobId })`. */
export function portalRead<Path extends keyof PortalReads>(
  path: Path,
  ...[values]: Record<never, string> extends ValuesOf<Path> ? [values?: ValuesOf<Path>] : [values: ValuesOf<Path>]
): ReadAddress<PortalReads[Path]['answer']> {
  const query = new Map(Object.entries<string | undefined>(values ?? {}))
  const place = path.replace(/\[(\w+)\]/g, (_, name: string) => {
    const value = query.get(name) ?? ''
    query.delete(name)
    return encodeURIComponent(value)
  })
  return join(place, [...query])
}

/** A read operation of the contract: `operationRead('cron.list', { serverId })`. Its fields are given with the target. */
export function operationRead<Id extends ReadId>(id: Id, target: OperationReads[Id]['target']): ReadAddress<OperationReads[Id]['answer']> {
  const named = Object.entries<string>(target).map(([name, value]) => [targetNames[name] ?? name, value] as const)
  return join(`/api/operations/${id}`, named)
}

const targetNames: Readonly<Record<string, string>> = { serverId: 'server', siteId: 'site' }

function join<T>(path: string, query: readonly (readonly [string, string | undefined])[]): ReadAddress<T> {
  const given = query.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
  return (given.length === 0 ? path : `${path}?${given.join('&')}`) as ReadAddress<T>
}

type Subjects = typeof contract

type AnyOperation = { [Subject in keyof Subjects]: Subjects[Subject][keyof Subjects[Subject]] }[keyof Subjects]

/** The target of a path, by the portal's own ids. */
type TargetOf<Path extends string> = Path extends `${string}{server_id}${string}`
  ? { serverId: string }
  : Path extends `${string}{site_id}${string}`
    ? { siteId: string }
    : never

type Readable = Extract<
  AnyOperation,
  OperationDefinition & { id: string; effect: 'read'; path: `${string}{${'server' | 'site'}_id}${string}` }
>

/** The operations that a page may call through /api/operations: reads of one server or site. By id: the target with the fields, and the answer. */
export type OperationReads = {
  [One in Readable as One['id']]: {
    target: Readonly<TargetOf<One['path']> & Omit<Input<One>, 'server_id' | 'site_id'>>
    answer: Answer<One>
  }
}

export type ReadId = keyof OperationReads
