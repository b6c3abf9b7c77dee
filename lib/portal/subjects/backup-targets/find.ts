/** Finds a backup target that a member wants to use or change, by its opaque id. */
import 'server-only'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import { findOffers } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { type Keeper, may, mayKeep } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { BackupTarget } from '@/prisma/generated/portal/client'
import { isPruned } from './address'
import type { CopySubject } from './subject'

export const keeperOf = ({ ownerId }: Pick<BackupTarget, 'ownerId'>): Keeper => (ownerId === null ? 'team' : 'own')

/** The reason why a role may not change it. */
export const formatKeeper = (keeper: Keeper): string =>
  keeper === 'team'
    ? 'Only a team owner or admin can change the team’s backup targets.'
    : 'Your role does not allow backup targets of your own.'

/** Those that a member sees: the team's and their own, and of others the ones that the team's keepers have to know of. */
export const visibleTo = ({ team, user, role }: Person) => ({
  teamId: team.id,
  ...(!may(role, 'teamConnections', 'change') && { OR: [{ ownerId: null }, { ownerId: user.id }] }),
})

/** Whose copies a member may not see gives the same `not_found` as an unknown id; then the role is checked. Logs refusals. */
export async function findKept(actor: Person, action: OwnAction, id: string): Promise<Outcome<BackupTarget>> {
  return findWithin(actor, action, id, ownTargets(actor))
}

/** The same for removing: those who keep the team's also remove members' own, without using them. */
export const findGoverned = (actor: Person, action: OwnAction, id: string): Promise<Outcome<BackupTarget>> =>
  findWithin(actor, action, id, visibleTo(actor))

async function findWithin(actor: Person, action: OwnAction, id: string, where: object): Promise<Outcome<BackupTarget>> {
  const readable = may(actor.role, 'teamConnections', 'read') && isOpaqueId(id)
  const found = readable ? await db().backupTarget.findFirst({ where: { id, ...where } }) : null
  // What others own is governed as the team's is.
  const keeper: Keeper = found?.ownerId === actor.user.id ? 'own' : 'team'
  if (found && mayKeep(actor.role, keeper)) return { ok: true, data: found }
  const refused = found ? problem('forbidden', { sentence: formatKeeper(keeper) }) : problem('not_found')
  await recordDenied(actor, action, { kind: 'team', id: actor.team.id }, refused.code)
  return { ok: false, problem: refused }
}

/** The targets of the team and of the member, also frozen ones. */
export const ownTargets = ({ team, user }: Person) => ({ teamId: team.id, OR: [{ ownerId: null }, { ownerId: user.id }] })

/** Where a member may have copies stored. */
const usableTargets = (actor: Person) => ({ ...ownTargets(actor), frozenAt: null })

/** Null for a target where the member may not have copies stored. */
export const findUsableTarget = (actor: Person, id: string): Promise<BackupTarget | null> =>
  db().backupTarget.findFirst({ where: { id, ...usableTargets(actor) } })

/** isPruned: old copies are deleted there. isOfTeam: servers themselves are copied only there. */
export type TargetChoice = { id: string; label: string; isPruned: boolean; isOfTeam: boolean }

/** The targets that the member may choose for copies, by label. working: only those that passed the newest test. */
export async function listUsableTargets(actor: Person, { working }: { working: boolean }): Promise<TargetChoice[]> {
  if (!may(actor.role, 'teamConnections', 'read')) return []
  const where = { ...usableTargets(actor), ...(working && { problem: '' }) }
  const rows = await db().backupTarget.findMany({
    where,
    select: { id: true, label: true, ownerId: true, kind: true, address: true },
    orderBy: [{ label: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ ownerId, kind, address, ...row }) => ({ ...row, isPruned: isPruned({ kind, address }), isOfTeam: ownerId === null }))
}

const ofMember = 'Only a connection of a member lists this site, and its service would get the team’s key. Use a target of your own.'

const noDownload = 'A copy in a target of your own is a download of the site, which your access does not include.'

const serverOfMember = 'Only a connection of a member lists this server, and its service would get the team’s key.'

const onlyOfTeam = 'A backup of a server has the data of all its sites. Use a target of the team.'

/** As refuseSite, for the backups of a server itself. They never leave for a member's own storage. */
async function refuseServer(actor: Person, { ownerId }: Pick<BackupTarget, 'ownerId'>, serverId: string): Promise<string | null> {
  if (ownerId !== null) return onlyOfTeam
  const listed = await db().serverOnConnection.count({ where: { serverId, connection: { teamId: actor.team.id, ownerId: null } } })
  return listed > 0 ? null : serverOfMember
}

/** Whichever it is. */
export const refuseSubject = (actor: Person, target: Pick<BackupTarget, 'ownerId'>, { kind, id }: CopySubject): Promise<string | null> =>
  (kind === 'site' ? refuseSite : refuseServer)(actor, target, id)

/**
 * Why copies of a site are not stored there for a member who may use the target, as a sentence; null if they are. Keys of the team go to services that the
 * team uses, and what leaves for a member's own storage needs the right to download it.
 */
export async function refuseSite(actor: Person, { ownerId }: Pick<BackupTarget, 'ownerId'>, siteId: string): Promise<string | null> {
  if (ownerId !== null) return (await findOffers(actor, { siteId }))(sites.download) ? null : noDownload
  const listed = await db().siteOnConnection.count({ where: { siteId, connection: { teamId: actor.team.id, ownerId: null } } })
  return listed > 0 ? null : ofMember
}
