/** Raw SQL: rows of the audit log as they are stored, for whoever checks them. */
import 'server-only'
import type { AuditRow } from '@/prisma/generated/portal/client'
import { db } from '../db'

type Closed = 'actorKind' | 'objectKind' | 'stage' | 'outcome'

/** A row in which anything may stand where the schema closes its lists: somebody may have spoilt it. */
export type StoredAuditRow = Omit<AuditRow, Closed> & Record<Closed, string>

/** Raw because Prisma refuses a whole page for one row with a value that is in no list of the schema, and that row is to be named. */
export async function readStoredAuditRows(afterSeq: number, limit: number): Promise<StoredAuditRow[]> {
  return db().$queryRaw<StoredAuditRow[]>`SELECT * FROM "AuditRow" WHERE "seq" > ${afterSeq} ORDER BY "seq" LIMIT ${limit}`
}
