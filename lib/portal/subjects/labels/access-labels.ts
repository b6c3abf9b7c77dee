/** Labels that grants and loans use: who has access to what carries one of them is decided by putting it on. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { listLabelNames } from './labels'

/** The labels to choose from, and which of them give access. */
export async function listKnownLabels(actor: Actor): Promise<{ known: string[]; giving: string[] }> {
  const known = await listLabelNames(actor)
  const [grants, loans] = await Promise.all([
    db().grantScope.findMany({ where: { kind: 'label', grant: { teamId: actor.team.id } }, select: { about: true }, distinct: ['about'] }),
    db().loanScope.findMany({ where: { kind: 'label', loan: { teamId: actor.team.id } }, select: { about: true }, distinct: ['about'] }),
  ])
  const used = new Set([...grants, ...loans].map(({ about }) => about))
  return { known, giving: known.filter((name) => used.has(name)) }
}

export async function givesAccess(teamId: string, label: string): Promise<boolean> {
  const scope = { kind: 'label', about: label } as const
  const grants = await db().grantScope.count({ where: { ...scope, grant: { teamId } } })
  return grants > 0 || (await db().loanScope.count({ where: { ...scope, loan: { teamId } } })) > 0
}
