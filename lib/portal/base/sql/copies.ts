/** Raw SQL: the sizes of the newest complete copies. */
import 'server-only'
import { Prisma } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { among } from './dialect'

type SizeRow = { siteId: string; repositoryId: string; bytes: number }

/** Raw because Prisma cannot read another column of the row that has the greatest time of its group, of which there may be thousands. */
export const readNewestSizes = (repositoryIds: readonly string[]): Promise<SizeRow[]> =>
  db().$queryRaw<SizeRow[]>(Prisma.sql`
    SELECT c."siteId", c."repositoryId", c."bytes" FROM "BackupCopy" c
    JOIN (
      SELECT "repositoryId", "siteId", MAX("startedAt") AS "at" FROM "BackupCopy"
      WHERE "repositoryId" ${among(repositoryIds)} AND "state" = 'done' GROUP BY "repositoryId", "siteId"
    ) n ON c."repositoryId" = n."repositoryId" AND c."siteId" = n."siteId" AND c."startedAt" = n."at" AND c."state" = 'done'`)
