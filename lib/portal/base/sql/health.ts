/** Raw SQL: whether the database accepts a write. */
import 'server-only'
import { db } from '../db'
import { dialect } from './dialect'

/** Raw because Prisma cannot express a committed write that changes nothing. */
export async function writeNothing(): Promise<void> {
  await db().$executeRaw(dialect().writeNothing)
}
