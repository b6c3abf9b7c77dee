/** Raw SQL: findings, the faults that a check found on a server. */
import 'server-only'
import type { Finding } from '@/prisma/generated/portal/client'
import { db } from '../db'

/**
 * Raw because one statement has to check and write: a server that was deleted or started an install meanwhile gets no finding. If
 * the finding exists, only its detail and code change.
 */
export async function upsertFinding({ serverId, kind, since, detail, seenAt, code }: Finding): Promise<void> {
  await db().$executeRaw`
    INSERT INTO "Finding" ("serverId", "kind", "since", "detail", "seenAt", "code")
    SELECT "id", ${kind}, ${since}, ${detail}, ${seenAt}, ${code} FROM "Server" WHERE "id" = ${serverId} AND "goneAt" IS NULL AND "state" IN ('ready', '')
    ON CONFLICT ("serverId", "kind") DO UPDATE SET "detail" = excluded."detail", "code" = excluded."code"`
}
