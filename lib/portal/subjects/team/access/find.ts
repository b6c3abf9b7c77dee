/** A stored grant as a change to it sees it. */
import 'server-only'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { formatAccess } from '@/lib/text/access'
import { nameScopes } from './scopes'
import { type GrantState, stateOfColumns } from './undo-access'

/** seen: the columns that a change finds unchanged, or else refuses. sentence: what it gives, for the audit log. */
export type StoredGrant = {
  id: string
  userId: string | null
  role: Role | null
  until: Date | null
  seen: { teamId: string; subjects: string; effects: string; root: boolean; validFrom: Date; until: Date | null }
  sentence: string
  /** All of it, for an undo. */
  state: GrantState
}

/** Null for an id that is unknown, malformed or another team's. */
export async function findGrant(actor: Person, id: string): Promise<StoredGrant | null> {
  if (!isOpaqueId(id)) return null
  const row = await db().grant.findFirst({ where: { id, teamId: actor.team.id }, include: { scopes: true } })
  if (!row) return null
  const { teamId, userId, role, subjects, effects, root, validFrom, until } = row
  const grant = toGrant(row)
  const [names = []] = await nameScopes(actor, [grant.scopes])
  return {
    id,
    userId,
    role,
    until,
    seen: { teamId, subjects, effects, root, validFrom, until },
    sentence: formatAccess(grant, names),
    state: stateOfColumns(row, row.scopes),
  }
}
