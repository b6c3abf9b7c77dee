/** Raw SQL: whether the database takes a write. */
import 'server-only'
import { db } from '../db'

/** Raw because it commits a write that changes nothing, which Prisma has no word for. On PostgreSQL: a row of its own, updated. */
export async function writeNothing(): Promise<void> {
  await db().$executeRaw`PRAGMA user_version = 0`
}
