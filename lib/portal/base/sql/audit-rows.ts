/** Raw SQL: rows of the audit log exactly as stored, for verification. */
import 'server-only'
import type { AuditRow } from '@/prisma/generated/portal/client'
import { db } from '../db'

type Closed = 'actorKind' | 'objectKind' | 'stage' | 'outcome'

/** Enum columns may contain any text, because the row may have been tampered with. */
export type StoredAuditRow = Omit<AuditRow, Closed> & Record<Closed, string>

/** Raw because Prisma refuses a whole page if one row has a value outside an enum, and verification has to name that row. */
export async function readStoredAuditRows(afterSeq: number, limit: number): Promise<StoredAuditRow[]> {
  return db().$queryRaw<StoredAuditRow[]>`SELECT * FROM "AuditRow" WHERE "seq" > ${afterSeq} ORDER BY "seq" LIMIT ${limit}`
}
