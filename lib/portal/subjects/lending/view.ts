/** Whom a connection is lent to, for its page, and what is lent to a member. Never contains a key or part of one. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { listLentConnections, listOthersOwn, listUsableConnections } from '@/lib/portal/access/connections'
import { isFrozen } from '@/lib/portal/access/frozen'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { readTeamLoans } from '@/lib/portal/access/loans/read'
import { may, mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { NamedScope } from '@/lib/text/access'
import { stateOf, type ValidState } from '../team/access/list'
import { nameScopes } from '../team/access/scopes'
import { findEndable } from './with-access'

type What = {
  subjects: 'all' | readonly string[]
  effects: readonly Effect[]
  operations: readonly string[]
  root: boolean
  scopes: readonly NamedScope[]
  /** ISO; null: no end. */
  until: string | null
}

export type LoanView = What & {
  id: string
  to: { kind: 'member'; name: string; role: Role } | { kind: 'role'; role: Role } | { kind: 'team' }
  /** ISO. */
  from: string
  state: ValidState
  why: string
  /** The borrower has access to the same, which the reader may end with the loan. */
  accessEndable: boolean
}

/** ownerName: null if it is the actor's own. mayEnd: the loans; only its owner lends it and changes loans. */
export type LentConnection = {
  id: string
  label: string
  ownerName: string | null
  frozen: boolean
  loans: LoanView[]
  mayLend: boolean
  mayEnd: boolean
}

/** Loans that ended longer ago are not listed. */
const rememberedMs = 30 * 86_400_000

/** For its owner, and for those who keep the team's connections. Null for others, and for a connection of the team. */
export async function findLentConnection(actor: Person, id: string): Promise<LentConnection | null> {
  const others = may(actor.role, 'teamConnections', 'change') ? await listOthersOwn(actor) : []
  const connection = [...(await listUsableConnections(actor)), ...others].find((each) => each.id === id)
  if (!connection || connection.ownerId === null) return null
  const own = connection.ownerId === actor.user.id
  const owner = own ? null : await db().user.findUnique({ where: { id: connection.ownerId }, select: { name: true } })
  return {
    id,
    label: connection.label,
    ownerName: own ? null : (owner?.name ?? ''),
    frozen: isFrozen(connection),
    loans: await listLoans(actor, id),
    mayLend: own && mayKeep(actor.role, 'own'),
    mayEnd: !own || mayKeep(actor.role, 'own'),
  }
}

async function listLoans(actor: Person, connectionId: string): Promise<LoanView[]> {
  const rows = await db().loan.findMany({
    where: { connectionId, teamId: actor.team.id, OR: [{ until: null }, { until: { gt: new Date(Date.now() - rememberedMs) } }] },
    include: { scopes: true, membership: { select: { role: true, user: { select: { name: true } } } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  const grants = rows.map(toGrant)
  const [scopes, endable] = await Promise.all([
    nameScopes(
      actor,
      grants.map((grant) => grant.scopes),
    ),
    findEndable(actor, grants),
  ])
  const now = Date.now()
  return grants.flatMap((grant, index): LoanView[] => {
    const row = rows[index]
    if (!row) return []
    const { membership, role, until } = row
    const { id, subjects, effects, operations, root } = grant
    const to: LoanView['to'] = membership
      ? { kind: 'member', name: membership.user.name, role: membership.role }
      : role === null
        ? { kind: 'team' }
        : { kind: 'role', role }
    return [
      {
        id,
        to,
        subjects,
        effects,
        operations,
        root,
        why: row.why,
        scopes: scopes[index] ?? [],
        from: row.validFrom.toISOString(),
        until: until?.toISOString() ?? null,
        state: stateOf(grant, now),
        accessEndable: endable.has(id),
      },
    ]
  })
}

/** Members other than the owner, to whom it can be lent, by name. */
export async function listBorrowers(actor: Person): Promise<{ id: string; name: string; role: Role }[]> {
  const members = await db().membership.findMany({
    where: { teamId: actor.team.id, userId: { not: actor.user.id }, user: { disabledAt: null }, ...lastingMemberships() },
    select: { role: true, user: { select: { id: true, name: true } } },
  })
  return members.map(({ role, user }) => ({ ...user, role })).sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

export type BorrowedView = { id: string; label: string; ownerName: string; frozen: boolean; loans: What[] }

/** What others lend to this member now, as far as it lists something in their grants. */
export async function listBorrowed(actor: Person): Promise<BorrowedView[]> {
  const [connections, { loans }] = await Promise.all([listLentConnections(actor), readTeamLoans(actor.team.id)])
  const now = Date.now()
  const mine = loans.filter(
    ({ userId, role, from, until }) =>
      (userId === null ? role === null || role === actor.role : userId === actor.user.id) && from <= now && (until === null || now < until),
  )
  const [scopes, owners] = await Promise.all([
    nameScopes(
      actor,
      mine.map((loan) => loan.scopes),
    ),
    db().user.findMany({ where: { id: { in: mine.map(({ ownerId }) => ownerId) } }, select: { id: true, name: true } }),
  ])
  const names = new Map(owners.map(({ id, name }) => [id, name]))
  return connections.map((connection) => ({
    id: connection.id,
    label: connection.label,
    ownerName: names.get(connection.ownerId ?? '') ?? '',
    frozen: isFrozen(connection),
    loans: mine.flatMap(({ connectionId, subjects, effects, operations, root, until }, index) =>
      connectionId === connection.id
        ? [
            {
              subjects,
              effects,
              operations,
              root,
              scopes: scopes[index] ?? [],
              until: until === null ? null : new Date(until).toISOString(),
            },
          ]
        : [],
    ),
  }))
}
