/** Labels: words of the team's own on servers and sites. The services behind know nothing of them. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { mostLabels } from './label-name'

/** What can carry labels, by its opaque id. */
export type SubjectKind = 'server' | 'site'

/** All labels of a team's servers or sites: names in order, by the opaque id of what carries them. */
export async function readLabels(teamId: string, subjectKind: SubjectKind): Promise<Map<string, string[]>> {
  const rows = await db().label.findMany({
    where: { teamId, subjectKind },
    select: { subjectId: true, name: true },
    orderBy: { name: 'asc' },
  })
  const found = new Map<string, string[]>()
  for (const { subjectId, name } of rows) {
    const names = found.get(subjectId)
    if (names) names.push(name)
    else found.set(subjectId, [name])
  }
  return found
}

export async function readLabelsOf(subjectKind: SubjectKind, subjectId: string): Promise<string[]> {
  const rows = await db().label.findMany({ where: { subjectKind, subjectId }, select: { name: true }, orderBy: { name: 'asc' } })
  return rows.map(({ name }) => name)
}

/** Every label the team uses, in order: what one chooses from. */
export async function listLabelNames(teamId: string): Promise<string[]> {
  const rows = await db().label.findMany({ where: { teamId }, select: { name: true }, distinct: ['name'], orderBy: { name: 'asc' } })
  return rows.map(({ name }) => name)
}

type Change = { teamId: string; subjectKind: SubjectKind; subjectIds: readonly string[]; name: string }

/**
 * Puts a clean label on each of them; answers on how many it was not yet. One that carries `mostLabels` already is
 * passed over. Whether they are the team's has to be known by now.
 */
export async function addLabel({ teamId, subjectKind, subjectIds, name }: Change): Promise<number> {
  return db().$executeRaw`
    INSERT INTO "Label" ("teamId", "subjectKind", "subjectId", "name", "createdAt")
    SELECT ${teamId}, ${subjectKind}, value, ${name}, ${new Date()} FROM json_each(${JSON.stringify(subjectIds)})
    WHERE (SELECT count(*) FROM "Label" WHERE "subjectKind" = ${subjectKind} AND "subjectId" = value) < ${mostLabels}
    ON CONFLICT DO NOTHING`
}

/** Takes a label off each of them; answers off how many. */
export async function removeLabel({ teamId, subjectKind, subjectIds, name }: Change): Promise<number> {
  return db().$executeRaw`
    DELETE FROM "Label" WHERE "teamId" = ${teamId} AND "subjectKind" = ${subjectKind} AND "name" = ${name}
      AND "subjectId" IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))`
}

/** What is deleted takes its labels along. */
export async function dropLabels(subjectKind: SubjectKind, subjectId: string): Promise<void> {
  await db().label.deleteMany({ where: { subjectKind, subjectId } })
}
