/** Raw SQL: events of installs, written hundreds at a time and deleted when old. */
import type { Database } from '../store'

export type EventLine = [step: string, progress: number, status: string, message: string, error: string | null]

/**
 * Raw because a single JSON list that the database parses takes a twentieth of the time of Prisma's row-by-row insert. Returns a
 * statement for a transaction. The numbers are given here, because two runs of a server may write at a time.
 */
export function insertEventLines(db: Database, run: { id: string; machineId: string }, lines: readonly EventLine[]) {
  return db.$executeRaw`
    INSERT INTO "InstallEvent" ("machineId", "id", "runId", "at", "step", "progress", "status", "message", "error")
    SELECT ${run.machineId}, 1 + "key" + (SELECT coalesce(max("id"), 0) FROM "InstallEvent" WHERE "machineId" = ${run.machineId}), ${run.id},
      ${new Date()}, value->>0, value->>1, value->>2, value->>3, value->>4
    FROM json_each(${JSON.stringify(lines)})`
}

/**
 * Raw because Prisma cannot delete by subquery. Keeps the newest event of each server and those of a running install. Returns how many
 * were deleted.
 */
export function deleteEventsBefore(db: Database, before: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM "InstallEvent" WHERE "at" < ${before.toISOString()}
    AND "runId" IN (SELECT "id" FROM "InstallRun" WHERE "state" <> 'running')
    AND "id" < (SELECT max("id") FROM "InstallEvent" AS "newer" WHERE "newer"."machineId" = "InstallEvent"."machineId")`
}
