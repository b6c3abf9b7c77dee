/** Whether a disk has room for a copy of a database on PostgreSQL, before the copy begins. */
import { statfs } from 'node:fs/promises'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { DatabaseError } from './database-error'
import { describeAddress } from './postgresql'
import { withSession } from './postgresql-session'

/** The code tells it from other errors of a database, as the file system's own does. */
class NoRoomError extends DatabaseError {
  readonly code = 'ENOSPC'
}

/** pg_dump compresses, and copies no index: seldom more than this share of what the database takes. */
const dumpedShare = 0.5

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`

/** folder: an existing one, where the copy would be. Rejects with NoRoomError, or with DatabaseError if the database cannot be reached. */
export async function requireRoom(address: PostgresqlAddress, folder: string): Promise<void> {
  const size = await withSession(address, async (session) => {
    const { rows } = await session.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size')
    return Number(rows[0]?.size)
  })
  const { bavail, bsize } = await statfs(folder)
  const [free, needed] = [bavail * bsize, Math.ceil(size * dumpedShare)]
  if (free >= needed) return
  throw new NoRoomError(
    `The disk of ${folder} has ${megabytes(free)} free, and a copy of the database ${describeAddress(address)} may need ${megabytes(needed)}.`,
  )
}
