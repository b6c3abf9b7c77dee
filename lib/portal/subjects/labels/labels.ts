/** Labels: the team's own words on servers and sites, which services do not know. */
import 'server-only'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { deleteLabels, insertLabels, type LabelChange } from '@/lib/portal/base/sql/labels'
import type { Actor } from '@/lib/portal/identity/actor'
import type { LabelSubject } from '@/prisma/generated/portal/client'
import { maxLabels } from './label-name'

/** The kinds of subjects that can have labels, identified by opaque ids. */
export type SubjectKind = LabelSubject

/** All labels of a team's servers or sites: sorted names by the opaque id of their subject. */
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

/** All labels of servers and sites that the actor sees, sorted, to choose from. */
export async function listLabelNames(actor: Actor): Promise<string[]> {
  const rows = await db().label.findMany({ where: { teamId: actor.team.id }, orderBy: { name: 'asc' } })
  const idsOf = (kind: SubjectKind) => rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === kind ? [subjectId] : []))
  const [servers, sites] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
  ])
  return [...new Set(rows.flatMap(({ subjectId, name }) => (servers.has(subjectId) || sites.has(subjectId) ? [name] : [])))]
}

/**
 * Adds a clean label to each subject; returns how many did not have it yet. Skips subjects that already have `maxLabels`. The caller must
 * have checked that they belong to the team.
 */
export const addLabel = (change: LabelChange): Promise<number> => insertLabels(change, maxLabels)

/** Removes a label from each subject; returns how many had it. */
export const removeLabel = (change: LabelChange): Promise<number> => deleteLabels(change)

/** Deletes the labels of a deleted subject. */
export async function dropLabels(subjectKind: SubjectKind, subjectId: string): Promise<void> {
  await db().label.deleteMany({ where: { subjectKind, subjectId } })
}
