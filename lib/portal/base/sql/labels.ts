/** Raw SQL: adding labels to many subjects at once, removing them, and reading those of thousands. */
import 'server-only'
import { type LabelSubject, Prisma } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { among, dialect } from './dialect'

export type LabelChange = { teamId: string; subjectKind: LabelSubject; subjectIds: readonly string[]; name: string }

/** Raw because each insert depends on how many labels its subject already has: at most `max`. Returns the number of labels added. */
export function insertLabels({ teamId, subjectKind, subjectIds, name }: LabelChange, max: number): Promise<number> {
  return db().$executeRaw`
    INSERT INTO "Label" ("teamId", "subjectKind", "subjectId", "name", "createdAt")
    SELECT ${teamId}, ${subjectKind}, "value", ${name}, ${new Date()} FROM ${dialect().texts(subjectIds, 'subject')}
    WHERE (SELECT count(*) FROM "Label" WHERE "subjectKind" = ${subjectKind} AND "subjectId" = "value") < ${max}
    ON CONFLICT DO NOTHING`
}

/** Raw because there may be thousands of ids: as one JSON text they are one parameter instead of more than the database allows. */
export function deleteLabels({ teamId, subjectKind, subjectIds, name }: LabelChange): Promise<number> {
  return db().$executeRaw`
    DELETE FROM "Label" WHERE "teamId" = ${teamId} AND "subjectKind" = ${subjectKind} AND "name" = ${name}
      AND "subjectId" ${among(subjectIds)}`
}

/**
 * Raw because a grant may be over a label that thousands carry: JSON text built by the database takes a tenth of the time of Prisma's rows. The
 * same for any number of names.
 */
export async function readLabelsNamed(
  teamId: string,
  names: readonly string[],
): Promise<[subjectKind: LabelSubject, subjectId: string, name: string][]> {
  const [row] = await db().$queryRaw<[{ labels: string }]>`
    SELECT ${dialect().lines(Prisma.sql`"subjectKind", "subjectId", "name"`, Prisma.sql`"subjectId"`)} AS "labels" FROM "Label"
    WHERE "teamId" = ${teamId} AND "name" ${among(names)}`
  return JSON.parse(row.labels)
}

/** Raw for the same reason: all labels of a team's servers or sites, sorted by name. */
export async function readLabelsOn(teamId: string, subjectKind: LabelSubject): Promise<[subjectId: string, name: string][]> {
  const [row] = await db().$queryRaw<[{ labels: string }]>`
    SELECT ${dialect().lines(Prisma.sql`"subjectId", "name"`, Prisma.sql`"name"`)} AS "labels" FROM "Label"
    WHERE "teamId" = ${teamId} AND "subjectKind" = ${subjectKind}`
  return JSON.parse(row.labels)
}
