/** Reads all rows of a subject in pages: there may be thousands, with every poll of every page. */
import 'server-only'
import { canAct } from '@/lib/portal/access/connections'
import type { RankedConnection } from '@/lib/portal/base/sql/acting'
import { nextTurn } from '@/lib/portal/base/turns'
import type { Connection } from '@/prisma/generated/portal/client'

const linesPerPage = 500

type PageQuery = { connections: readonly RankedConnection[]; afterId: string; limit: number }

/** A line begins with the row's id. Usable connections come first, as in chooseConnection. */
export async function* readPages<Line extends readonly [id: string, ...rest: unknown[]]>(
  usable: readonly Connection[],
  readPage: (query: PageQuery) => Promise<Line[]>,
): AsyncGenerator<Line[]> {
  const connections = usable.map((one): RankedConnection => ({ id: one.id, own: one.ownerId === null ? 0 : 1, able: canAct(one) ? 1 : 0 }))
  let [afterId, more] = ['', true]
  while (more) {
    const page = await readPage({ connections, afterId, limit: linesPerPage })
    yield page
    afterId = page.at(-1)?.[0] ?? ''
    more = page.length === linesPerPage
    // Database reads are synchronous and block the process meanwhile.
    if (more) await nextTurn()
  }
}
