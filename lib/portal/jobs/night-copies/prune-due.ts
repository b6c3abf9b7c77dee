/** Deletes old copies, once after each night of a schedule and from each repository, with the rights of the member who set the schedule. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { canAct, rankConnections } from '@/lib/portal/access/connections'
import { findGranted } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import { refusePlace } from '@/lib/portal/subjects/backup-plans/find-place'
import { placeOf } from '@/lib/portal/subjects/backup-plans/plans'
import {
  findRepositoriesOf,
  findSitesOf,
  listSurplus,
  type PlannedSites,
  type StoredCopy,
  withoutRead,
} from '@/lib/portal/subjects/backup-plans/surplus'
import { openPruneFields } from '@/lib/portal/subjects/backup-targets/repository'
import { runOperation } from '@/lib/portal/subjects/spine'
import type { BackupPlan, BackupRepository, BackupTarget, CopyPruning } from '@/prisma/generated/portal/client'
import { endPruning } from './end-pruning'

/** Longer than any pause between two attempts: a time that is further away was stored while the clock was wrong. */
const furthestMs = 6 * 3_600_000

/** In one call. The rest follows in the next night. */
const maxAtOnce = 5000

/** In one statement of the database. */
const inStatement = 500

type Planned = { plan: BackupPlan; target: BackupTarget; repository: BackupRepository }

/** A schedule that fails is logged and tried again, and holds up no other. lost: aborts when this portal no longer leads. */
export async function pruneDue(now: Date, lost: AbortSignal): Promise<void> {
  for (const { id } of await db().backupPlan.findMany({ where: prunable, select: { id: true }, orderBy: { id: 'asc' } })) {
    await prunePlan(id, now, lost).catch((err: unknown) => log.error({ err, plan: id }, 'old copies of a schedule could not be deleted'))
  }
}

const prunable = { excluded: false, pausedBecause: '', night: { not: '' }, target: { frozenAt: null } } as const

/**
 * One repository after the other, because each takes memory of the service. Each may take hours, in which schedules, sites and the target can be changed: all of it is
 * read again before the next.
 */
async function prunePlan(id: string, now: Date, lost: AbortSignal): Promise<void> {
  const tried = new Set<string>()
  while (!lost.aborted) {
    const found = await db().backupPlan.findFirst({ where: { id, ...prunable }, include: { target: true } })
    if (!found?.target) return
    const { target, ...plan } = found
    const repository = (await findDue(plan, now)).find((each) => !tried.has(each.id))
    if (!repository) return
    tried.add(repository.id)
    const sites = await findSitesOf(plan, await db().backupPlan.findMany({ where: { teamId: plan.teamId } }))
    await pruneOne({ plan, target, repository }, await withoutForeign(plan, sites), now)
  }
}

/** Without servers themselves whose backups the member who set the schedule may not delete: a schedule of their sites needs no right to these. */
async function withoutForeign({ teamId, setById }: BackupPlan, sites: PlannedSites): Promise<PlannedSites> {
  const servers = [...sites].flatMap(([id, { serverId }]) => (id === serverId ? [id] : []))
  if (servers.length === 0) return sites
  const author = setById === null ? null : await findAbsentMember(teamId, setById)
  const granted = author ? await findGranted(author, serverBackups.delete, 'server', servers) : new Set()
  return new Map([...sites].filter(([id, { serverId }]) => id !== serverId || granted.has(id)))
}

/** Whether copies of the night are still to be made on the server, into the same repository. Its proofs may wait for days, and read while copies are deleted. */
const isNight = async ({ serverId }: BackupRepository): Promise<boolean> =>
  (await db().nightCopy.count({ where: { serverId, copyId: '', state: { in: ['waiting', 'running'] } } })) > 0

/** A row that runs was left by a portal that was stopped: this one makes one deletion after the other. */
async function findDue(plan: BackupPlan, now: Date): Promise<BackupRepository[]> {
  const [repositories, rows] = await Promise.all([
    findRepositoriesOf(plan),
    db().copyPruning.findMany({ where: { place: plan.place, night: plan.night } }),
  ])
  const isDone = ({ state, dueAt }: CopyPruning): boolean => {
    const waitsMs = dueAt.getTime() - now.getTime()
    return state === 'done' || state === 'failed' || (state === 'waiting' && waitsMs > 0 && waitsMs < furthestMs)
  }
  const done = new Set(rows.filter(isDone).map(({ repositoryId }) => repositoryId))
  return repositories.filter(({ id }) => !done.has(id))
}

async function pruneOne(planned: Planned, sites: PlannedSites, now: Date): Promise<void> {
  const { plan, repository } = planned
  if (await isNight(repository)) return
  if ((await db().backupCopy.count({ where: { repositoryId: repository.id, state: 'running' } })) > 0) return
  const surplus = (await withoutRead(plan.teamId, await listSurplus(plan, sites, repository, now))).slice(0, maxAtOnce)
  const row = await begin(planned, now)
  if (surplus.length === 0) return void (await db().copyPruning.update({ where: keyOf(row), data: { state: 'done', problem: '' } }))
  const requestId = createOpaqueId()
  const outcome = await send(planned, surplus, requestId)
  // Also those that were gone there already.
  if (outcome.ok) await forget(surplus)
  await endPruning({ row, requestId, server: repository, label: planned.target.label, teamId: plan.teamId }, outcome, new Date())
}

async function forget(deleted: readonly StoredCopy[]): Promise<void> {
  const ids = deleted.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += inStatement)
    await db().backupCopy.deleteMany({ where: { id: { in: ids.slice(from, from + inStatement) } } })
}

/** Counts the attempt. */
async function begin({ plan: { place, night }, repository: { id: repositoryId } }: Planned, now: Date): Promise<CopyPruning> {
  const former = await db().copyPruning.findUnique({ where: { repositoryId_place: { repositoryId, place } } })
  const attempts = former?.night === night ? former.attempts + 1 : 1
  const data = { night, state: 'running', attempts, dueAt: now } as const
  return db().copyPruning.upsert({
    where: { repositoryId_place: { repositoryId, place } },
    create: { repositoryId, place, ...data },
    update: data,
  })
}

const keyOf = ({ repositoryId, place }: CopyPruning) => ({ repositoryId_place: { repositoryId, place } })

const authorGone = problem('forbidden', { sentence: 'The member who set the schedule may no longer delete copies there. Set it again.' })

const noService = problem('no_connection', {
  sentence: 'No connection of the team to a service that deletes copies works for this server.',
})

async function send({ plan, target, repository }: Planned, surplus: readonly StoredCopy[], requestId: string): Promise<Outcome<unknown>> {
  const author = plan.setById === null ? null : await findAbsentMember(plan.teamId, plan.setById)
  if (!author || !mayRun(author.role, copies.prune.effect) || (await refusePlace(author, placeOf(plan))) !== null)
    return { ok: false, problem: authorGone }
  const place = plan.siteId === null ? { serverId: repository.serverId } : { siteId: plan.siteId }
  const ranked = await rankConnections(author, { kind: 'server', serverId: repository.serverId })
  // Keys of the team go to services of the team alone, and those of a member also to this member's own.
  const connection = ranked.find((each) => canAct(each) && each.extensions && (each.ownerId === null || each.ownerId === target.ownerId))
  if (!connection) return { ok: false, problem: noService }
  const opened = await openPruneFields(target, repository)
  if (!opened) return { ok: false, problem: problem('key_locked') }
  const fields = { ...opened, snapshots: surplus.map(({ snapshot }) => snapshot) }
  const about = `${surplus.length === 1 ? 'one old copy' : `${surplus.length} old copies`} from ${target.label}`
  const options = { requestId, planned: true, confirmName: String(surplus.length), about } as const
  return runOperation(author, copies.prune, { ...place, connectionId: connection.id }, fields, options)
}
