/** Raw SQL: labels put on many subjects at once, and taken off. */
import 'server-only'
import type { LabelSubject } from '@/prisma/generated/portal/client'
import { db } from '../db'

export type LabelChange = { teamId: string; subjectKind: LabelSubject; subjectIds: readonly string[]; name: string }

/** Raw because each row depends on how many labels its subject carries already: at most `most`. Gives how many were added. */
export function insertLabels({ teamId, subjectKind, subjectIds, name }: LabelChange, max: number): Promise<number> {
  return db().$executeRaw`
    INSERT INTO "Label" ("teamId", "subjectKind", "subjectId", "name", "createdAt")
    SELECT ${teamId}, ${subjectKind}, value, ${name}, ${new Date()} FROM json_each(${JSON.stringify(subjectIds)})
    WHERE (SELECT count(*) FROM "Label" WHERE "subjectKind" = ${subjectKind} AND "subjectId" = value) < ${max}
    ON CONFLICT DO NOTHING`
}

/** Raw because ids may be thousands: as one JSON text they are one parameter instead of more than the database takes. */
export function deleteLabels({ teamId, subjectKind, subjectIds, name }: LabelChange): Promise<number> {
  return db().$executeRaw`
    DELETE FROM "Label" WHERE "teamId" = ${teamId} AND "subjectKind" = ${subjectKind} AND "name" = ${name}
      AND "subjectId" IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`
}
