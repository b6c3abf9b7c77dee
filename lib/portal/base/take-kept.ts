/** Rows that are kept by a condition which the database would check slowly, read in pages until there are enough. */
import 'server-only'

/** For Prisma, with an order in which the id comes last. */
export type Page = { take: number; skip?: number; cursor?: { id: string } }

const [firstPage, laterPages] = [200, 1_000]

export async function takeKept<Row extends { id: string }>(
  readPage: (page: Page) => Promise<Row[]>,
  keeps: (row: Row) => boolean,
  most: number,
): Promise<Row[]> {
  const kept: Row[] = []
  let after: string | undefined
  for (;;) {
    const take = after === undefined ? Math.max(firstPage, most) : laterPages
    const rows = await readPage({ take, ...(after !== undefined && { skip: 1, cursor: { id: after } }) })
    kept.push(...rows.filter(keeps))
    after = rows.at(-1)?.id
    if (kept.length >= most || rows.length < take || after === undefined) return kept.slice(0, most)
  }
}
