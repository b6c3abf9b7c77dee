/** Raw SQL: whether the database takes a write. */
import type { Database } from '../store'

/** Raw because it commits a write that changes nothing, which Prisma has no word for. On PostgreSQL: a row of its own, updated. */
export async function writeNothing(db: Database): Promise<void> {
  await db.$executeRaw`PRAGMA user_version = 0`
}
