/** A stored loan, and the connection that is lent, as a change to them sees them. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import type { Grant } from '@/lib/portal/access/grants/grant'
import { toGrant } from '@/lib/portal/access/grants/stored'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { formatAccess } from '@/lib/text/access'
import { formatMinute } from '@/lib/text/minute'
import type { Connection } from '@/prisma/generated/portal/client'
import { findGoverned, findKeptConnection } from '../connections/find'
import { nameScopes } from '../team/access/scopes'

/** Whom it is lent to: a member, everyone with a role, or the whole team. */
export type Borrowers = { userId: string; role: null; email: string } | { userId: null; role: Role | null; email: '' }

/**
 * seen: the columns that a change finds unchanged, as it does the scopes of grant, or else refuses. sentence: what it is lent for, until when;
 * for the audit log. about: without the end.
 */
export type StoredLoan = {
  id: string
  to: Borrowers
  until: Date | null
  seen: { connectionId: string; subjects: string; effects: string; operations: string; root: boolean; validFrom: Date; until: Date | null }
  sentence: string
  about: string
  /** What it is lent for, as a grant would give it. */
  grant: Grant
}

type FoundLoan = { connection: Connection; loan: StoredLoan }

/** A connection of the actor's own. Others answer as for any change to them. */
export async function findOwnConnection(actor: Person, action: OwnAction, id: string): Promise<Outcome<Connection>> {
  const found = await findKeptConnection(actor, action, id)
  if (!found.ok || found.data.ownerId === actor.user.id) return found
  return { ok: false, problem: problem('forbidden', { sentence: 'The whole team uses this connection already, so it cannot be lent.' }) }
}

/** Of a connection of the actor's own; `govern`: also of another member's, for those who keep the team's connections. */
export async function findLoan(actor: Person, action: OwnAction, id: string, { govern }: { govern: boolean }): Promise<Outcome<FoundLoan>> {
  const include = { scopes: true, membership: { select: { user: { select: { email: true } } } } } as const
  const row = isOpaqueId(id) ? await db().loan.findFirst({ where: { id, teamId: actor.team.id }, include }) : null
  if (!row) {
    await recordDenied(actor, action, { kind: 'connection', id: '' }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const { connectionId, userId, role, subjects, effects, operations, root, validFrom, until } = row
  const found = await (govern ? findGoverned : findOwnConnection)(actor, action, connectionId)
  if (!found.ok) return found
  const grant = toGrant(row)
  const [names = []] = await nameScopes(actor, [grant.scopes])
  const to: Borrowers = userId === null ? { userId, role, email: '' } : { userId, role: null, email: row.membership?.user.email ?? '' }
  const about = formatAccess(grant, names)
  const sentence = `${about}${until ? `, until ${formatMinute(until)}` : ''}`
  const loan = { id, to, until, seen: { connectionId, subjects, effects, operations, root, validFrom, until }, sentence, about, grant }
  return { ok: true, data: { connection: found.data, loan } }
}
