/** Raw SQL: whether the database accepts a write. */
import 'server-only'
import { db } from '../db'

/** Raw because Prisma cannot express a committed write that changes nothing. On PostgreSQL: update a dedicated row. */
export async function writeNothing(): Promise<void> {
  await db().$executeRaw`PRAGMA user_version = 0`
}
