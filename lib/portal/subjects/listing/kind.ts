/** What a subject declares so that connections can be asked for a list of it: servers now, sites alike. */
import 'server-only'
import type * as z from 'zod'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Place } from '@/lib/portal/base/sql/listing'
import type { Prisma } from '@/prisma/generated/portal/client'

/** Of the contract: answers `items`, each with the id that the service gave it, and needs nothing but a connection. */
export type ListOperation = Operation & { answer: z.ZodType<{ items: readonly { id: string }[] }> }

export type ListedItem<Op extends ListOperation> = Answer<Op>['items'][number]

type Statement = Prisma.PrismaPromise<number>

/** A row that a list may change. `Members` are what the list says of it. */
export type KnownRow<Members> = Members & { id: string; upstreamId: string; goneAt: Date | null }

export type ListingKind<Op extends ListOperation, Members extends Readonly<Record<string, string>>> = {
  operation: Op
  /** As stored. `known` is what stands there now: what a service does not say stays. */
  membersOf: (item: ListedItem<Op>, known?: Members) => Members
  /** The statements of its tables; those that write are run in one transaction, and none may undo what was learned after `at`. */
  rows: {
    find: (place: Place, upstreamIds: readonly string[]) => Promise<readonly KnownRow<Members>[]>
    insert: (place: Place, rows: readonly (Members & { id: string; upstreamId: string })[], at: Date) => Statement
    update: (rows: readonly (Members & { id: string })[], at: Date) => Statement
    noteListed: (place: Place, upstreamIds: readonly string[], at: Date) => Statement
    link: (place: Place, connectionId: string, upstreamIds: readonly string[], at: Date) => Statement
    /** Ids of rows that this connection listed, but not since `at`. */
    findUnproven: (connectionId: string, at: Date) => Promise<string[]>
    unlink: (connectionId: string, ids: readonly string[], at: Date) => Statement
    markUnlistedGone: (ids: readonly string[], now: Date) => Statement
    /** When this connection last listed any. */
    findListedAt: (connectionId: string) => Promise<Date | null>
  }
  /** Told what a list asked for at `askedAt` showed of these rows. */
  onListed: (ids: readonly string[], askedAt: Date, found: 'gone' | 'still there') => Promise<void>
}
