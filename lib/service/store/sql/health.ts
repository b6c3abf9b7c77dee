/** Raw SQL: whether the database accepts a write. */
import type { Database } from '../store'
import { dialectOf } from './dialect'

/** Raw because Prisma cannot express a committed write that changes nothing. */
export async function writeNothing(db: Database): Promise<void> {
  await db.$executeRaw(dialectOf(db).writeNothing)
}
