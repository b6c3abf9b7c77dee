/** Raw SQL: events of installs, written hundreds at a time and deleted when old. */
import { Prisma } from '@/prisma/generated/service/client'
import type { Database } from '../store'
import { dialectOf } from './dialect'

export type EventLine = [step: string, progress: number, status: string, message: string, error: string | null]

/**
 * Raw because a single JSON list that the database parses takes a twentieth of the time of Prisma's row-by-row insert. Returns a
 * statement for a transaction. The numbers are given here, because two runs of a server may write at a time.
 */
export function insertEventLines(db: Database, run: { id: string; machineId: string }, lines: readonly EventLine[]) {
  const { items, enumValue } = dialectOf(db)
  const numbered = lines.map((line, index) => [index + 1, ...line])
  return db.$executeRaw`
    INSERT INTO "InstallEvent" ("machineId", "id", "runId", "at", "step", "progress", "status", "message", "error")
    SELECT ${run.machineId},
      CAST("value"->>0 AS INTEGER) + (SELECT coalesce(max("id"), 0) FROM "InstallEvent" WHERE "machineId" = ${run.machineId}), ${run.id},
      ${new Date()}, "value"->>1, CAST("value"->>2 AS INTEGER), ${enumValue(Prisma.sql`"value"->>3`, 'RunState')}, "value"->>4, "value"->>5
    FROM ${items(numbered)}`
}

/**
 * Raw because Prisma cannot delete by subquery. Keeps the newest event of each server and those of a running install. Returns how many
 * were deleted.
 */
export function deleteEventsBefore(db: Database, before: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "InstallEvent" WHERE "at" < ${before}
    AND "runId" IN (SELECT "id" FROM "InstallRun" WHERE "state" <> 'running')
    AND "id" < (SELECT max("id") FROM "InstallEvent" AS "newer" WHERE "newer"."machineId" = "InstallEvent"."machineId")`
}
