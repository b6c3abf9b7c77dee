/** Which held requests a member sees: those that they asked for, and those that they could approve. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { findGranted } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { HeldRequest } from '@/prisma/generated/portal/client'

/** A request of the team, and whether the actor could be its second person, as far as role, access and sight go. */
export type FoundHeld = { row: HeldRequest; own: boolean; mayDecide: boolean }

/** Null for one that the actor does not see, as for an unknown one. */
export async function findHeld(actor: Person, id: string): Promise<FoundHeld | null> {
  if (!isOpaqueId(id)) return null
  const row = await db().heldRequest.findFirst({ where: { id, teamId: actor.team.id } })
  const [found] = row ? await keepSeen(actor, [row]) : []
  return found ?? null
}

/** Those that the actor sees, in the given order. */
export async function keepSeen(actor: Person, rows: readonly HeldRequest[]): Promise<FoundHeld[]> {
  const found = await Promise.all(
    rows.map(async (row) => {
      const own = row.askedById === actor.user.id
      return { row, own, mayDecide: !own && (await couldDecide(actor, row)) }
    }),
  )
  return found.filter(({ own, mayDecide }) => own || mayDecide)
}

async function couldDecide(actor: Person, { action, serverId, siteId }: HeldRequest): Promise<boolean> {
  const operation = findOperation(action)
  if (!operation || actor.role === 'guest' || !mayRun(actor.role, operation.effect)) return false
  const [kind, id] = siteId === null ? (['server', serverId ?? ''] as const) : (['site', siteId] as const)
  const [granted, names] = await Promise.all([findGranted(actor, operation, kind, [id]), findVisibleNames(actor, kind, [id])])
  return granted.has(id) && names.has(id)
}
