/** Which schedule of copies applies to a site: the site's, else that of its server, else the team's; and to a server itself: its, else the team's. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { BackupPlan, BackupTarget, Prisma } from '@/prisma/generated/portal/client'
import type { CopySubject } from '../backup-targets/subject'

export type PlanPlace = { kind: 'team' | 'server' | 'site'; id: string }

/** As the row stores it. */
export const placeText = ({ kind, id }: PlanPlace): string => `${kind} ${id}`

export function placeOf({ teamId, serverId, siteId }: Pick<BackupPlan, 'teamId' | 'serverId' | 'siteId'>): PlanPlace {
  if (siteId !== null) return { kind: 'site', id: siteId }
  return serverId === null ? { kind: 'team', id: teamId } : { kind: 'server', id: serverId }
}

/** What a site's schedule depends on. */
export const plannedSite = {
  id: true,
  teamId: true,
  serverId: true,
  connections: { select: { connection: { select: { ownerId: true } } } },
} as const

export type PlannedSite = Prisma.SiteGetPayload<{ select: typeof plannedSite }>

const plannedServer = { id: true, teamId: true, name: true, createdAt: true, connections: plannedSite.connections } as const

type PlannedServer = PlannedSite & { name: string; createdAt: Date }

/** The servers themselves, each as a site on itself, which no schedule of a site names. */
export async function findPlannedServers(
  where: Prisma.ServerWhereInput,
  tx: Pick<Prisma.TransactionClient, 'server'> = db(),
): Promise<PlannedServer[]> {
  const servers = await tx.server.findMany({ where: { AND: [where, copyableServer] }, select: plannedServer })
  return servers.map((server) => ({ ...server, serverId: server.id }))
}

/** The backup of a server goes to targets of the team alone. */
export const takesServers = (target: Pick<BackupTarget, 'ownerId'> | null): boolean => target?.ownerId === null

/** The plan that applies, also one that excludes the site; null if there is none. */
export function createPlanOf<Plan extends Pick<BackupPlan, 'place'>>(plans: readonly Plan[]): (site: PlannedSite) => Plan | null {
  const byPlace = new Map(plans.map((plan) => [plan.place, plan]))
  return (site) => placesOf(site).reduce<Plan | null>((found, place) => found ?? byPlace.get(place) ?? null, null)
}

/** Where a schedule for it may be set; the first that has one applies. The team's schedule leaves out sites that only a connection of a member lists: their services get no key of the team. */
export const placesOf = ({ id, teamId, serverId, connections }: PlannedSite): string[] => [
  placeText({ kind: 'site', id }),
  ...(serverId === null ? [] : [placeText({ kind: 'server', id: serverId })]),
  ...(connections.some(({ connection }) => connection.ownerId === null) ? [placeText({ kind: 'team', id: teamId })] : []),
]

/** Null also for what is not there any more. */
export async function findPlanOf({ kind, id }: CopySubject): Promise<BackupPlan | null> {
  const site =
    kind === 'site'
      ? await db().site.findFirst({ where: { id, goneAt: null }, select: plannedSite })
      : ((await findPlannedServers({ id }))[0] ?? null)
  return site && createPlanOf(await db().backupPlan.findMany({ where: { place: { in: placesOf(site) } } }))(site)
}

/** The sites that a plan can be about. Only services with extensions make copies. */
export const copyable = { goneAt: null, serverId: { not: null }, connections: { some: { connection: { extensions: true } } } } as const

/** The same of servers, which have a backup once they are installed. */
const copyableServer = { goneAt: null, state: 'ready', connections: { some: { connection: { extensions: true, ownerId: null } } } } as const

export const targetRemoved = 'Its backup target was removed. Choose another one.'
