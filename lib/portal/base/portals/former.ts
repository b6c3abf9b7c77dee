/** The portal that ran before on the same data folder: if it was killed, its jobs and batches need not wait until it counts as dead. */
import 'server-only'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Postgresql } from '@/lib/database/postgresql'
import { sessionName } from './leadership'
import { leave } from './members'

/**
 * Notes in the file that `id` runs there now. The one noted before counts as dead at once if its session with the database is gone, which PostgreSQL ends
 * with its process; one that is only stopped has it still. Rejects if the database cannot be reached or the file cannot be written.
 */
export async function succeedFormer(shared: Postgresql, file: string, id: string): Promise<void> {
  const former = readId(file)
  if (former !== null && former !== id && !(await hasSession(shared, former))) await leave(shared, former)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, id, { mode: 0o600 })
}

/** Null without such a file, and if it has something else. */
function readId(file: string): string | null {
  try {
    return /^[\w-]{22}$/.exec(readFileSync(file, 'utf8'))?.[0] ?? null
  } catch {
    return null
  }
}

async function hasSession({ pool }: Postgresql, id: string): Promise<boolean> {
  const { rows } = await pool.query('SELECT FROM "pg_stat_activity" WHERE "application_name" = $1 LIMIT 1', [sessionName(id)])
  return rows.length > 0
}
