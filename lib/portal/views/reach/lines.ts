/** The rows of reach in words. */
import 'server-only'
import { operations } from '@/lib/contract'
import { auditOf } from '@/lib/contract/policy'
import type { ComparedRow } from '@/lib/portal/access/reach/compare'
import type { ReachRow } from '@/lib/portal/access/reach/compute'
import type { ReachTeam } from '@/lib/portal/access/reach/team'
import { may, roleNames } from '@/lib/portal/access/roles'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { nameScopes } from '@/lib/portal/subjects/team/access/scopes'
import { formatScopes, formatWork } from '@/lib/text/access'
import { toReadableDomain } from '@/lib/text/idn'
import type { LastUse } from './last-use'

export type ReachPlace = { kind: 'server' | 'site'; name: string }

/** What one member can do through one grant, in words. */
export type ReachLine = {
  id: string
  grantId: string
  who: string
  role: Role
  /** "view and change the backups". */
  what: string
  /** Those that the reader sees, and the number of others. */
  places: readonly ReachPlace[]
  hidden: number
  /** All servers and sites, also later ones. */
  everything: boolean
  /** The grant; whose connection is used, and by which loan. */
  access: string
  connection: string
  /** ISO; until null: no end. */
  from: string
  until: string | null
  /** ISO; null: none is known. */
  lastUsedAt: string | null
  /** Whether uses are recorded at all. Most reads are only if they go through a lent connection. */
  recorded: boolean
  /** Not used for 90 days, though it was there. */
  unused: boolean
  difference: ComparedRow['difference']
  idle: boolean
}

export const unusedDays = 90

type Given = { rows: readonly ComparedRow[]; team: ReachTeam; lastUse: LastUse; now: number }

export async function describeReach(actor: Person, { rows, team, lastUse, now }: Given): Promise<ReachLine[]> {
  const [names, members, accesses, keys] = await Promise.all([
    readPlaceNames(actor, team),
    readMembers(actor.team.id),
    describeGrants(actor, team),
    describeKeys(actor),
  ])
  const mayCount = may(actor.role, 'teamConnections', 'change')
  const namesOf = remember((places: ReachRow['places']) => [...places.keys()].flatMap((id) => names.get(id) ?? []))
  return rows.map(({ row, difference, idle }, index): ReachLine => {
    const places = namesOf(row.places)
    const used = lastUse(row)
    const recorded = row.loanId !== null || isRecorded(row)
    return {
      id: String(index),
      grantId: row.grantId,
      who: members.get(row.userId) ?? '',
      role: row.role,
      what: formatWork(row.work),
      places,
      hidden: mayCount ? row.places.size - places.length : 0,
      everything: row.everything,
      access: accesses.get(row.grantId) ?? 'New access',
      connection: keys(row),
      from: new Date(row.from).toISOString(),
      until: row.until === null ? null : new Date(row.until).toISOString(),
      lastUsedAt: used === null ? null : new Date(used).toISOString(),
      recorded,
      unused: recorded && Math.max(used ?? 0, row.from) < now - unusedDays * 86_400_000,
      difference,
      idle,
    }
  })
}

/** Many rows are over the same servers and sites. */
function remember<Given extends object, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const made = new Map<Given, Made>()
  return (given) => {
    const known = made.get(given) ?? make(given)
    made.set(given, known)
    return known
  }
}

const recordedIds = new Set(operations.filter((operation) => auditOf(operation) !== 'never').map(({ id }) => id))

const isRecorded = ({ operations: can }: ReachRow): boolean =>
  Object.values(can).some((ids: ReadonlySet<string>) => [...ids].some((id) => recordedIds.has(id)))

async function readPlaceNames(actor: Person, { places }: ReachTeam): Promise<Map<string, ReachPlace>> {
  const idsOf = (kind: 'server' | 'site') =>
    places.flatMap(({ place }) => (place.kind !== kind ? [] : [place.kind === 'server' ? place.serverId : place.siteId]))
  const [servers, sites] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
  ])
  const found = new Map<string, ReachPlace>()
  for (const [id, name] of servers) found.set(id, { kind: 'server', name })
  for (const [id, domain] of sites) found.set(id, { kind: 'site', name: toReadableDomain(domain) })
  return found
}

async function readMembers(teamId: string): Promise<Map<string, string>> {
  const rows = await db().membership.findMany({ where: { teamId }, select: { userId: true, user: { select: { name: true } } } })
  return new Map(rows.map(({ userId, user }) => [userId, user.name]))
}

/** Of what access is over; the servers and sites of a row are named apart from it. */
const maxNamed = 3

/** "Access to everything labelled “client”, for everyone with the role Guest, given by Mira: Ticket 12", by the id of the grant. */
async function describeGrants(actor: Person, { grants }: ReachTeam): Promise<Map<string, string>> {
  const [scopes, rows] = await Promise.all([
    nameScopes(
      actor,
      grants.map((grant) => grant.scopes),
    ),
    db().grant.findMany({ where: { teamId: actor.team.id }, select: { id: true, givenById: true, why: true } }),
  ])
  const givers = await readNames(rows.flatMap(({ givenById }) => givenById ?? []))
  const stored = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    grants.map(({ id, role }, index) => {
      const { givenById = null, why = '' } = stored.get(id) ?? {}
      const toRole = role === null ? '' : `, for everyone with the role ${roleNames[role]}`
      const by = `given by ${givers.get(givenById ?? '') ?? 'Gatehouse'}`
      return [id, `Access to ${formatScopes(scopes[index] ?? [], maxNamed)}${toRole}, ${by}${why === '' ? '' : `: ${why}`}`]
    }),
  )
}

/** The labels of connections. Whoever may not read the team's connections learns only of those that are lent. */
async function describeKeys(actor: Person): Promise<(row: ReachRow) => string> {
  const rows = await db().connection.findMany({ where: { teamId: actor.team.id }, select: { id: true, label: true, ownerId: true } })
  const owners = await readNames(rows.flatMap(({ ownerId }) => ownerId ?? []))
  const known = new Map(rows.map((row) => [row.id, row]))
  const reads = may(actor.role, 'teamConnections', 'read')
  return ({ keyIds, loanId }) =>
    keyIds
      .flatMap((id) => {
        const key = known.get(id)
        if (!key || (key.ownerId === null && !reads)) return []
        if (key.ownerId === null) return [key.label]
        return [loanId === null ? `${key.label}, their own` : `${key.label}, lent by ${owners.get(key.ownerId) ?? ''}`]
      })
      .join('; ')
}

async function readNames(ids: readonly string[]): Promise<Map<string, string>> {
  const users = await db().user.findMany({ where: { id: { in: [...new Set(ids)] } }, select: { id: true, name: true } })
  return new Map(users.map(({ id, name }) => [id, name]))
}
