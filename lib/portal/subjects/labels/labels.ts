/** Labels: the team's own words on servers and sites, which services do not know. */
import 'server-only'
import { rightOf } from '@/lib/portal/access/grants/read'
import { db } from '@/lib/portal/base/db'
import { deleteLabels, insertLabels, type LabelChange, readLabelsOn } from '@/lib/portal/base/sql/labels'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import type { LabelSubject } from '@/prisma/generated/portal/client'
import { maxLabels } from './label-name'

/** The kinds of subjects that can have labels, identified by opaque ids. */
export type SubjectKind = LabelSubject

/** All labels of a team's servers or sites: sorted names by the opaque id of their subject. */
export async function readLabels(teamId: string, subjectKind: SubjectKind): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const [subjectId, name] of await readLabelsOn(teamId, subjectKind)) {
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

/** All labels that the team uses, sorted, to choose from; for somebody who does not see everything, those on what is in their grants. */
export async function listLabelNames(actor: Actor): Promise<string[]> {
  const [{ seen }, where] = [await rightOf(actor), { teamId: actor.team.id }]
  const orderBy = { name: 'asc' } as const
  if (seen.everything) {
    const names = await db().label.findMany({ where, select: { name: true }, distinct: ['name'], orderBy })
    return names.map(({ name }) => name)
  }
  const rows = await db().label.findMany({ where, select: { name: true, subjectKind: true, subjectId: true }, orderBy })
  const sites = rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === 'site' ? [subjectId] : []))
  const serverOf = await findServersOfSites(sites)
  const inGrant = ({ subjectKind, subjectId: id }: (typeof rows)[number]) =>
    seen[subjectKind === 'site' ? 'sites' : 'servers'].has(id) || seen.servers.has(serverOf.get(id) ?? '')
  return [...new Set(rows.filter(inGrant).map(({ name }) => name))]
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
