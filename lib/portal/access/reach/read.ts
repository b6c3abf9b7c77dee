/** Reads what decides who can do what in a team. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { canAct } from '../connections'
import { readLabelled, readTeamGrants } from '../grants/read'
import { readStoredLoans } from '../loans/read'
import type { ListedPlace, ReachKey, ReachTeam } from './team'

/** Which part of the team's servers and sites is read: one server with its sites, one site, or what one connection lists. */
export type Within = { serverId: string } | { siteId: string } | { connectionId: string } | null

/** labels: names that are read though no grant and no loan uses them yet. */
export async function readReachTeam(teamId: string, within: Within, labels: readonly string[] = []): Promise<ReachTeam> {
  const [memberships, { grants }, loans, keys] = await Promise.all([
    db().membership.findMany({ where: { teamId, user: { disabledAt: null } }, select: { userId: true, role: true, endsAt: true } }),
    readTeamGrants(teamId),
    readStoredLoans(teamId),
    readKeys(teamId, within),
  ])
  const scopes = [...grants, ...loans].flatMap((given) => given.scopes)
  const names = new Set([...labels, ...scopes.flatMap((scope) => (scope.kind === 'label' ? [scope.name] : []))])
  return {
    members: memberships.map(({ endsAt, ...member }) => ({ ...member, endsAt: endsAt?.getTime() ?? null })),
    grants,
    loans,
    labels: names.size === 0 ? [] : await readLabelled(teamId, [...names]),
    keys,
    places: await readPlaces(teamId, within, keys),
  }
}

async function readKeys(teamId: string, within: Within): Promise<ReachKey[]> {
  const one = within !== null && 'connectionId' in within ? { id: within.connectionId } : {}
  const rows = await db().connection.findMany({ where: { teamId, ...one }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map((row) => ({ id: row.id, ownerId: row.ownerId, acts: canAct(row) }))
}

/** Only what these connections list. Links are read by connection, because one statement takes no list of thousands of places. */
async function readPlaces(teamId: string, within: Within, keys: readonly ReachKey[]): Promise<ListedPlace[]> {
  const whole = within === null || 'connectionId' in within
  const ofServer = whole ? {} : { id: 'serverId' in within ? within.serverId : '' }
  const ofSite = whole ? {} : 'siteId' in within ? { id: within.siteId } : { serverId: within.serverId }
  const alive = { teamId, goneAt: null }
  const connectionId = { in: keys.map(({ id }) => id) }
  const [servers, sites, serverLinks, siteLinks] = await Promise.all([
    db().server.findMany({ where: { ...alive, ...ofServer }, select: { id: true }, orderBy: [{ name: 'asc' }, { id: 'asc' }] }),
    db().site.findMany({
      where: { ...alive, ...ofSite },
      select: { id: true, serverId: true },
      orderBy: [{ domain: 'asc' }, { id: 'asc' }],
    }),
    db().serverOnConnection.findMany({ where: { connectionId, ...(!whole && { server: ofServer }) } }),
    db().siteOnConnection.findMany({ where: { connectionId, ...(!whole && { site: ofSite }) } }),
  ])
  const listing = new Map<string, string[]>()
  const add = (id: string, connectionId: string) => {
    const known = listing.get(id)
    if (known) known.push(connectionId)
    else listing.set(id, [connectionId])
  }
  for (const link of serverLinks) add(link.serverId, link.connectionId)
  for (const link of siteLinks) add(link.siteId, link.connectionId)
  const listed = (id: string, place: ListedPlace['place']): ListedPlace[] => {
    const keyIds = listing.get(id)
    return keyIds ? [{ place, keyIds }] : []
  }
  return [
    ...servers.flatMap(({ id }) => listed(id, { kind: 'server', serverId: id })),
    ...sites.flatMap(({ id, serverId }) => listed(id, { kind: 'site', siteId: id, serverId })),
  ]
}
