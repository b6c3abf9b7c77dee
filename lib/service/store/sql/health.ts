/** Raw SQL: whether the database accepts a write. */
import type { Database } from '../store'

/** Raw because Prisma cannot express a committed write that changes nothing. On PostgreSQL: update a dedicated row. */
export async function writeNothing(db: Database): Promise<void> {
  await db.$executeRaw`PRAGMA user_version = 0`
}
