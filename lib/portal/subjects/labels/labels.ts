/** Labels: words of the team's own on servers and sites. The services behind know nothing of them. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { deleteLabels, insertLabels, type LabelChange } from '@/lib/portal/base/sql/labels'
import type { LabelSubject } from '@/prisma/generated/portal/client'
import { maxLabels } from './label-name'

/** What can carry labels, by its opaque id. */
export type SubjectKind = LabelSubject

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

/**
 * Puts a clean label on each of them; answers on how many it was not yet. One that carries `maxLabels` already is
 * passed over. Whether they are the team's has to be known by now.
 */
export const addLabel = (change: LabelChange): Promise<number> => insertLabels(change, maxLabels)

/** Takes a label off each of them; answers off how many. */
export const removeLabel = (change: LabelChange): Promise<number> => deleteLabels(change)

/** What is deleted takes its labels along. */
export async function dropLabels(subjectKind: SubjectKind, subjectId: string): Promise<void> {
  await db().label.deleteMany({ where: { subjectKind, subjectId } })
}
