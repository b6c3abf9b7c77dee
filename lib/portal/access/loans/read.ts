/** What is lent to an actor at this moment. */
import 'server-only'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Grantee, Labelled } from '../grants/grant'
import { readLabelled } from '../grants/read'
import { toGrant } from '../grants/stored'
import { compileLending, type Lending, limitToLender } from './compile'
import type { Loan } from './loan'

type Given = { loans: readonly Loan[]; labels: readonly Labelled[] }

/** Compiled once for each reading of the database and each borrower. */
const compiled = new WeakMap<Given, Map<string, Lending>>()

export type Borrower = Grantee & { teamId: string }

export const lendingOf = (actor: Actor): Promise<Lending> =>
  lendingTo({ teamId: actor.team.id, userId: actor.kind === 'user' ? actor.user.id : null, role: actor.role })

/** Never stale: loans and labels are read again after any write, and compiled again when one of them begins or ends. */
export async function lendingTo({ teamId, ...grantee }: Borrower): Promise<Lending> {
  const given = await readTeamLoans(teamId)
  const known = compiled.get(given) ?? new Map<string, Lending>()
  compiled.set(given, known)
  const [now, key] = [Date.now(), `${grantee.userId} ${grantee.role}`]
  const found = known.get(key)
  if (found && found.compiledAt <= now && now < found.changesAt) return found
  const lending = compileLending(grantee, given.loans, given.labels, now)
  known.set(key, lending)
  return lending
}

/** All loans of a team whose lender may still have a connection of their own, no longer than they are a member. */
export const readTeamLoans = (teamId: string): Promise<Given> => cachedUntilWrite(`loans ${teamId}`, () => readLoans(teamId))

async function readLoans(teamId: string): Promise<Given> {
  const stored = await readStoredLoans(teamId)
  const ownerIds = stored.map(({ ownerId }) => ownerId)
  const owners = await db().membership.findMany({ where: { teamId, userId: { in: ownerIds }, user: { disabledAt: null } } })
  const lenders = new Map(owners.map(({ userId, role, endsAt }) => [userId, { role, endsAt: endsAt?.getTime() ?? null }]))
  const loans = stored.flatMap((loan) => limitToLender(loan, lenders.get(loan.ownerId)) ?? [])
  const names = new Set(loans.flatMap(({ scopes }) => scopes.flatMap((scope) => (scope.kind === 'label' ? [scope.name] : []))))
  return { loans, labels: names.size === 0 ? [] : await readLabelled(teamId, [...names]) }
}

/** As the database has them, also those whose lender may not have a connection of their own any more. */
export async function readStoredLoans(teamId: string): Promise<Loan[]> {
  const rows = await db().loan.findMany({ where: { teamId }, include: { scopes: true, connection: { select: { ownerId: true } } } })
  return rows.flatMap(({ connectionId, connection: { ownerId }, ...row }) =>
    ownerId === null ? [] : [{ ...toGrant(row), connectionId, ownerId }],
  )
}
