/** Reads all rows of a subject in pages: there may be thousands, with every poll of every page. */
import 'server-only'
import { canAct, ownerOf } from '@/lib/portal/access/connections'
import type { Place } from '@/lib/portal/access/grants/grant'
import { isForeign, mayUse } from '@/lib/portal/access/loans/compile'
import { lendingOf } from '@/lib/portal/access/loans/read'
import type { RankedConnection } from '@/lib/portal/base/sql/acting'
import { nextTurn } from '@/lib/portal/base/turns'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'

const linesPerPage = 500

type PageQuery = { connections: readonly RankedConnection[]; afterId: string; limit: number }

type Line = readonly [id: string, ...rest: unknown[]]

/** readPage: a line begins with the row's id. actingOf: the id of the connection to use, of those in the query. */
type Source<L extends Line> = {
  readPage: (query: PageQuery) => Promise<L[]>
  actingOf: (line: L) => string | null
  placeOf: (line: L) => Place
}

/**
 * With each line the connection to use; lines that none lists are left out. Usable connections come first, as in chooseConnection. Lent ones
 * act only where they are lent and no other one can.
 */
export async function* readPages<L extends Line>(
  actor: Actor,
  listing: readonly Connection[],
  { readPage, actingOf, placeOf }: Source<L>,
): AsyncGenerator<(readonly [line: L, acting: Connection])[]> {
  const lending = await lendingOf(actor)
  const byId = new Map(listing.map((connection) => [connection.id, connection]))
  const lent = listing.filter((connection) => isForeign(connection, ownerOf(actor)))
  const usable = listing.filter((connection) => !lent.includes(connection)).map(toRanked)
  let [afterId, more] = ['', true]
  while (more) {
    const page = await readPage({ connections: usable, afterId, limit: linesPerPage })
    const acting = new Map(page.map((line) => [line[0], byId.get(actingOf(line) ?? '')]))
    for (const connection of lent) {
      const lines = await readPage({ connections: [toRanked(connection)], afterId, limit: linesPerPage })
      for (const line of lines) {
        const present = acting.get(line[0])
        const better = present === undefined || (!canAct(present) && canAct(connection))
        if (better && actingOf(line) !== null && mayUse(connection, ownerOf(actor), lending, placeOf(line))) acting.set(line[0], connection)
      }
    }
    yield page.flatMap((line) => {
      const connection = acting.get(line[0])
      return connection ? [[line, connection] as const] : []
    })
    afterId = page.at(-1)?.[0] ?? ''
    more = page.length === linesPerPage
    // Database reads are synchronous and block the process meanwhile.
    if (more) await nextTurn()
  }
}

const toRanked = (one: Connection): RankedConnection => ({ id: one.id, own: one.ownerId === null ? 0 : 1, able: canAct(one) ? 1 : 0 })
