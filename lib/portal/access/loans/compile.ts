/** Compiles loans into what somebody may use whose connection for, and decides for one connection. Pure, as the grants' compiler that it uses. */
import 'server-only'
import type { Role } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { compileRight, isAllowed, isSeen, type Right } from '../grants/compile'
import type { Grantee, Labelled, Need, Place } from '../grants/grant'
import { mayKeep } from '../roles'
import type { Loan } from './loan'

/** By the connection's id: where and for what it is lent to one actor, from compiledAt until before changesAt, unless loans or labels are changed. */
export type Lending = { rights: ReadonlyMap<string, Right>; compiledAt: number; changesAt: number }

/** Nobody borrows a connection of their own, and only people borrow. */
export function compileLending(grantee: Grantee, loans: readonly Loan[], labels: readonly Labelled[], now: number): Lending {
  const byConnection = new Map<string, Loan[]>()
  for (const loan of loans) {
    if (grantee.userId === null || loan.ownerId === grantee.userId) continue
    byConnection.set(loan.connectionId, [...(byConnection.get(loan.connectionId) ?? []), toTeam(grantee, loan)])
  }
  const compiled = [...byConnection].map(([id, own]) => [id, compileRight(grantee, own, labels, now)] as const)
  const changesAt = Math.min(Number.POSITIVE_INFINITY, ...compiled.map(([, right]) => right.changesAt))
  return { rights: new Map(compiled.filter(([, { rules }]) => rules.length > 0)), compiledAt: now, changesAt }
}

/** The whole team is everyone with whichever role. */
const toTeam = ({ role }: Grantee, loan: Loan): Loan => (loan.userId === null && loan.role === null ? { ...loan, role } : loan)

/** No longer than the membership of whoever lends, who is an active member; null if they may not have a connection of their own. */
export function limitToLender(loan: Loan, lender: { role: Role; endsAt: number | null } | undefined): Loan | null {
  if (!lender || !mayKeep(lender.role, 'own')) return null
  const ends = [loan.until, lender.endsAt].filter((at) => at !== null)
  return { ...loan, until: ends.length === 0 ? null : Math.min(...ends) }
}

type Key = Pick<Connection, 'id' | 'ownerId'>

/** Whether the connection belongs to neither the team nor this actor, so that it takes a loan to use it. */
export const isForeign = ({ ownerId }: Key, userId: string | null): boolean => ownerId !== null && ownerId !== userId

/** Whether somebody may use a connection at a place: for anything at all, or for what `need` says. Their grants are decided apart from this. */
export function mayUse(connection: Key, userId: string | null, lending: Lending, place: Place, need?: Need): boolean {
  if (!isForeign(connection, userId)) return true
  const right = lending.rights.get(connection.id)
  if (right === undefined) return false
  return need ? isAllowed(right, need, place) : isSeen(right, place)
}

/** Own connections come before those of the team, and lent ones last: nobody's own key acts where another one can. */
export const rankOf = ({ id, ownerId }: Key, userId: string | null): number =>
  isForeign({ id, ownerId }, userId) ? 2 : ownerId === null ? 1 : 0
