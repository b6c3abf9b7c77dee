/** Which jobs the page Jobs shows, parsed from an untrusted query. */
import 'server-only'
import { dayOf, startOfDay } from '@/lib/portal/base/days'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { JobState, type Prisma } from '@/prisma/generated/portal/client'
import { isJobOperation, type JobOperationId } from './event-kinds'
import { outsideBatches } from './view'

export type JobFilter = {
  kind: JobOperationId | null
  /** Ids. person: who started it. */
  server: string | null
  person: string | null
  outcome: JobState | null
  /** Days as YYYY-MM-DD, inclusive, in the reader's time zone: when it was started. */
  from: string | null
  to: string | null
}

type Query = Readonly<Record<string, string | string[] | undefined>>

/** Ignores members that cannot be parsed. */
export function readJobFilter(query: Query): JobFilter {
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const idIn = (name: string) => (isOpaqueId(text(name)) ? text(name) : null)
  const kind = text('kind')
  return {
    kind: isJobOperation(kind) ? kind : null,
    server: idIn('server'),
    person: idIn('person'),
    outcome: Object.values(JobState).find((state) => state === text('outcome')) ?? null,
    from: dayOf(text('from')),
    to: dayOf(text('to')),
  }
}

/** The members that are set: the parameters of the page's address, and of its read. */
export const writeJobFilter = (filter: JobFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** The jobs that match. Without a filter, those of a batch are left out: they are lines of the batch. */
export function whereOf({ kind, server, person, outcome, from, to }: JobFilter, zone: string): Prisma.JobWhereInput {
  const asked: Prisma.JobWhereInput = {
    ...(kind !== null && { operation: kind }),
    ...(server !== null && { serverId: server }),
    ...(person !== null && { startedById: person }),
    ...(outcome !== null && { state: outcome }),
    ...((from !== null || to !== null) && {
      startedAt: { ...(from !== null && { gte: startOfDay(from, zone) }), ...(to !== null && { lt: startOfDay(to, zone, 1) }) },
    }),
  }
  return Object.keys(asked).length === 0 ? outsideBatches : asked
}
