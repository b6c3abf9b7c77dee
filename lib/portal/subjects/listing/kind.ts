/** Declares how a subject is listed over connections. */
import 'server-only'
import type * as z from 'zod'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Place } from '@/lib/portal/base/sql/listing'
import type { Prisma } from '@/prisma/generated/portal/client'

/** An operation that answers `items`, each with the service's own id, and needs only a connection. */
export type ListOperation = Operation & { answer: z.ZodType<{ items: readonly { id: string }[] }> }

export type ListedItem<Op extends ListOperation> = Answer<Op>['items'][number]

type Statement = Prisma.PrismaPromise<number>

/** A row that a list may change. `Members` are the columns that come from the list. */
export type KnownRow<Members> = Members & { id: string; upstreamId: string; goneAt: Date | null }

export type ListingKind<Op extends ListOperation, Members extends Readonly<Record<string, string>>> = {
  operation: Op
  /** The columns to store. `known` has the present values, which stay if the service omits them. */
  membersOf: (item: ListedItem<Op>, known?: Members) => Members
  /** The statements for the subject's tables. Writes run in one transaction and must keep values newer than `at`. */
  rows: {
    find: (place: Place, upstreamIds: readonly string[]) => Promise<readonly KnownRow<Members>[]>
    insert: (place: Place, rows: readonly (Members & { id: string; upstreamId: string })[], at: Date) => Statement
    update: (rows: readonly (Members & { id: string })[], at: Date) => Statement
    noteListed: (place: Place, upstreamIds: readonly string[], at: Date) => Statement
    /** Connects the rows with those of other subjects that the list names. */
    relate?: (place: Place, upstreamIds: readonly string[]) => Statement
    link: (place: Place, connectionId: string, upstreamIds: readonly string[], at: Date) => Statement
    /** Ids of rows that this connection has listed, but not since `at`. */
    findUnproven: (connectionId: string, at: Date) => Promise<string[]>
    unlink: (connectionId: string, ids: readonly string[], at: Date) => Statement
    markUnlistedGone: (ids: readonly string[], now: Date) => Statement
    /** When this connection last listed any item. */
    findListedAt: (connectionId: string) => Promise<Date | null>
  }
  /** Called with the rows that a list requested at `askedAt` showed as present or gone. */
  onListed: (ids: readonly string[], askedAt: Date, found: 'gone' | 'still there') => Promise<void>
}
