/** The databases of a running Gatehouse, looked at and changed from beside it. */
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import type { Place } from './gatehouse-process'

/** The rows that the statement gives. */
export async function query(place: Place, side: 'portal' | 'service', sql: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url: `file:${join(place.dir, 'data', side, `${side}.db`)}` })
  const { rows, columns } = await client.execute(sql)
  client.close()
  return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
}

/** Everybody signed in gave their password ten minutes ago. */
export const letSignInsAge = (place: Place) =>
  query(place, 'portal', `UPDATE Session SET stepUpAt = '${new Date(Date.now() - 600_000).toISOString()}'`)
