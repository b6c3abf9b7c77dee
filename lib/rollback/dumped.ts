/** What going back to a dump of a database on PostgreSQL loses, and doing so. */
import { dumpDatabase, readDumpedRows, replaceByDump } from '@/lib/database/dump'
import { withSession } from '@/lib/database/postgresql-session'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { formatLosses, type Half, namedTables } from './losses'

/** As describeLosses. Rejects with DatabaseError if either cannot be read. */
export async function describeDumpedLosses(half: Half, address: PostgresqlAddress, dump: string): Promise<string[]> {
  const [now, before] = [new Map<string, number>(), new Map<string, number>()]
  for (const table of namedTables(half)) before.set(table, await countDumped(dump, table))
  await withSession(address, async (session) => {
    for (const table of namedTables(half)) {
      const { rows } = await session.query(`SELECT to_regclass($1) IS NOT NULL AS found`, [`public."${table}"`])
      if (rows[0]?.found) now.set(table, Number((await session.query(`SELECT count(*) FROM "${table}"`)).rows[0]?.count))
    }
  })
  return formatLosses(half, now, before)
}

async function countDumped(dump: string, table: string): Promise<number> {
  let count = 0
  for await (const _ of readDumpedRows(dump, table)) count += 1
  return count
}

/** kept: the dump of the database that was replaced. */
export async function replaceByCopy(address: PostgresqlAddress, dump: string, kept: string): Promise<void> {
  await dumpDatabase(address, kept)
  await replaceByDump(dump, address)
}

type Entry = { seq: number; row: string }

const batch = 1000

/** The last entry of the audit log in the dump, the last one in the database, and the last that both have; seq 0 for none. */
export async function compareLogs(address: PostgresqlAddress, dump: string): Promise<{ to: Entry; lastSeq: number; shared: number }> {
  return withSession(address, async (session) => {
    let to: Entry = { seq: 0, row: '' }
    let shared = 0
    const ask = async (entries: readonly Entry[]) => {
      const { rows } = await session.query(
        'SELECT max(mine.seq) AS shared FROM "AuditRow" AS mine JOIN unnest($1::int[], $2::text[]) AS theirs (seq, mac) USING (seq, mac)',
        [entries.map(({ seq }) => seq), entries.map(({ row }) => row)],
      )
      shared = Math.max(shared, Number(rows[0]?.shared ?? 0))
    }
    const waiting: Entry[] = []
    for await (const { seq, mac } of readDumpedRows(dump, 'AuditRow')) {
      const entry = { seq: Number(seq), row: mac ?? '' }
      if (entry.seq > to.seq) to = entry
      waiting.push(entry)
      if (waiting.length === batch) await ask(waiting.splice(0))
    }
    await ask(waiting)
    const { rows } = await session.query('SELECT max(seq) AS seq FROM "AuditRow"')
    return { to, lastSeq: Number(rows[0]?.seq ?? 0), shared }
  })
}
