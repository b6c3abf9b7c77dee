/** The databases of a running Gatehouse, looked at and changed from beside it. */
import { join } from 'node:path'
import type { Place } from './gatehouse-process'
import { runSql } from './sqlite-file'

/** The rows that the statement gives. */
export async function query(place: Pick<Place, 'dir'>, side: 'portal' | 'service', sql: string): Promise<Record<string, unknown>[]> {
  return runSql(join(place.dir, 'data', side, `${side}.db`), sql)
}

/** Sets the last password entry of every session to ten minutes ago. */
export const letSignInsAge = (place: Place) =>
  query(place, 'portal', `UPDATE Session SET stepUpAt = '${new Date(Date.now() - 600_000).toISOString()}'`)
