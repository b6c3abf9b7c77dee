/** The access of a member, and who has access to a server or site, for the pages about them. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { compileRight, isSeen } from '@/lib/portal/access/grants/compile'
import type { Grant, Place } from '@/lib/portal/access/grants/grant'
import { toGrant } from '@/lib/portal/access/grants/stored'
import { compileLending, mayUse } from '@/lib/portal/access/loans/compile'
import { readTeamLoans } from '@/lib/portal/access/loans/read'
import { may, mayManage, mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { hasEnded, lastingMemberships } from '@/lib/portal/identity/membership'
import type { NamedScope } from '@/lib/text/access'
import type { Prisma } from '@/prisma/generated/portal/client'
import { nameScopes } from './scopes'

/** planned: it has not begun. */
export type ValidState = 'planned' | 'valid' | 'ended'

export type AccessView = {
  id: string
  /** Whose it is. Of a role: everyone who has it. */
  holder: { kind: 'member'; id: string; name: string; role: Role } | { kind: 'role'; role: Role }
  subjects: 'all' | readonly string[]
  effects: readonly Effect[]
  /** The effects that the role of the holder leaves of it. */
  allowed: readonly Effect[]
  operations: readonly string[]
  root: boolean
  scopes: readonly NamedScope[]
  /** ISO; until null: no end. */
  from: string
  until: string | null
  state: ValidState
  /** Who gave it; empty for Gatehouse, and for an account that was deleted. */
  givenBy: string
  why: string
  changeable: boolean
}

export type AccessHolder = { id: string; name: string; role: Role }

export type MemberAccess = { member: AccessHolder & { email: string; ended: boolean }; rows: AccessView[]; mayGive: boolean }

/** Access that ended longer ago is not listed. */
const rememberedMs = 30 * 86_400_000

const include = {
  scopes: true,
  membership: { select: { role: true, user: { select: { id: true, name: true } } } },
} as const
type Row = Prisma.GrantGetPayload<{ include: typeof include }>

/** For everyone who may read the team, and for the member. Null for others, and for an id that is no member's. */
export async function findMemberAccess(actor: Person, userId: unknown): Promise<MemberAccess | null> {
  if (!isOpaqueId(userId) || (userId !== actor.user.id && !may(actor.role, 'team', 'read'))) return null
  const teamId = actor.team.id
  const membership = await db().membership.findUnique({
    where: { userId_teamId: { userId, teamId } },
    select: { role: true, endsAt: true, user: { select: { name: true, email: true } } },
  })
  if (!membership) return null
  const { role, user } = membership
  const rows = await db().grant.findMany({ where: { teamId, AND: [listed(), { OR: [{ userId }, { role }] }] }, include, orderBy })
  return {
    member: { id: userId, role, ...user, ended: hasEnded(membership) },
    rows: await toViews(actor, rows),
    mayGive: mayManage(actor.role, role),
  }
}

const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] satisfies Prisma.GrantOrderByWithRelationInput[]

const listed = (): Prisma.GrantWhereInput => ({ OR: [{ until: null }, { until: { gt: new Date(Date.now() - rememberedMs) } }] })

/** Who can reach a server or site that the actor sees, and through which access; null for those who may not read the team. */
export async function listAccessTo(actor: Person, { kind, id }: { kind: 'server' | 'site'; id: string }): Promise<AccessView[] | null> {
  if (!may(actor.role, 'team', 'read')) return null
  const teamId = actor.team.id
  const place = await placeOf(kind, id)
  const [rows, members, labels, keys, lent] = await Promise.all([
    db().grant.findMany({ where: { teamId, OR: [{ until: null }, { until: { gt: new Date() } }] }, include, orderBy }),
    db().membership.findMany({
      where: { teamId, user: { disabledAt: null }, ...lastingMemberships() },
      select: { userId: true, role: true },
    }),
    db().label.findMany({ where: { teamId, subjectId: { in: idsOf(place) } } }),
    findKeys(teamId, place),
    readTeamLoans(teamId),
  ])
  // What only a member's own connection lists is out of reach for the others, unless it is lent to them.
  const able = members.filter((member) => {
    const lending = compileLending(member, lent.loans, lent.labels, Date.now())
    return keys.some((key) => mayUse(key, member.userId, lending, place))
  })
  const labelled = labels.map(({ subjectKind: kind, subjectId: id, name }) => ({ kind, id, name }))
  const now = Date.now()
  const reaching = rows.filter((row) => {
    const grant = toGrant(row)
    const at = Math.max(now, grant.from)
    return able.some((member) => isHeldBy(grant, member) && isSeen(compileRight(member, [grant], labelled, at), place))
  })
  return toViews(actor, reaching)
}

type Somewhere = Exclude<Place, { kind: 'everywhere' }>

async function placeOf(kind: 'server' | 'site', id: string): Promise<Somewhere> {
  return kind === 'server' ? { kind, serverId: id } : { kind, siteId: id, serverId: (await findServersOfSites([id])).get(id) ?? null }
}

const isHeldBy = ({ userId, role }: Grant, member: { userId: string; role: Role }): boolean =>
  userId === null ? role === member.role : userId === member.userId

const idsOf = (place: Somewhere): string[] =>
  place.kind === 'server' ? [place.serverId] : [place.siteId, ...(place.serverId === null ? [] : [place.serverId])]

/** The connections that list it, and whose they are. */
export async function findKeys(teamId: string, place: Somewhere): Promise<{ id: string; ownerId: string | null }[]> {
  const select = { connection: { select: { id: true, ownerId: true } } } as const
  const links =
    place.kind === 'server'
      ? await db().serverOnConnection.findMany({ where: { serverId: place.serverId, connection: { teamId } }, select })
      : await db().siteOnConnection.findMany({ where: { siteId: place.siteId, connection: { teamId } }, select })
  return links.map(({ connection }) => connection)
}

/** Those whose access the actor may change, for a dialog that gives access; by name. */
export async function listHolders(actor: Person): Promise<AccessHolder[]> {
  if (!may(actor.role, 'team', 'change')) return []
  const members = await db().membership.findMany({
    where: { teamId: actor.team.id, ...lastingMemberships() },
    select: { role: true, user: { select: { id: true, name: true } } },
  })
  const holders = members.filter(({ role }) => mayManage(actor.role, role)).map(({ role, user }) => ({ ...user, role }))
  return holders.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

async function toViews(actor: Person, rows: readonly Row[]): Promise<AccessView[]> {
  const grants = rows.map(toGrant)
  const [scopes, givers] = await Promise.all([
    nameScopes(
      actor,
      grants.map((grant) => grant.scopes),
    ),
    readNames(rows.flatMap(({ givenById }) => givenById ?? [])),
  ])
  const now = Date.now()
  return rows.flatMap((row, index) => {
    const [grant, role] = [grants[index], row.membership?.role ?? row.role]
    if (!grant || !role) return []
    const { subjects, effects, operations, root } = grant
    return {
      id: row.id,
      holder: row.membership ? { kind: 'member' as const, ...row.membership.user, role } : { kind: 'role' as const, role },
      subjects,
      effects,
      allowed: effects.filter((effect) => mayRun(role, effect)),
      operations,
      root,
      scopes: scopes[index] ?? [],
      from: row.validFrom.toISOString(),
      until: row.until?.toISOString() ?? null,
      state: stateOf(grant, now),
      givenBy: givers.get(row.givenById ?? '') ?? '',
      why: row.why,
      changeable: mayManage(actor.role, role),
    }
  })
}

/** Of a grant or a loan, at a moment in ms since 1970. */
export function stateOf({ from, until }: Pick<Grant, 'from' | 'until'>, now: number): ValidState {
  if (until !== null && until <= now) return 'ended'
  return from > now ? 'planned' : 'valid'
}

async function readNames(ids: readonly string[]): Promise<Map<string, string>> {
  const users = await db().user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, name: true } })
  return new Map(users.map(({ id, name }) => [id, name]))
}
