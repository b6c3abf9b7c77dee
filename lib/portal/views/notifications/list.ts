/** A user’s own notifications, and marking them as read. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { keepSeen } from '@/lib/portal/approvals/find'
import { db } from '@/lib/portal/base/db'
import { batchesVisibleTo } from '@/lib/portal/batches/visible'
import type { Person } from '@/lib/portal/identity/actor'
import { siftJobs } from '@/lib/portal/jobs/visible'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { Notification, Prisma } from '@/prisma/generated/portal/client'
import { type Detail, describeNotification, hrefOf } from './sentences'

/** at: ISO. href: the page of what it is about; null if there is none. */
export type NotificationView = { id: string; text: string; href: string | null; at: string; unread: boolean }

/** items: the newest 200. */
export type NotificationList = { unread: number; items: readonly NotificationView[] }

const newest = 200

const ownOf = ({ user, team }: Person) => ({ userId: user.id, teamId: team.id })

/** Newest first. What concerns a server, site, job or batch is left out once it is out of the user's sight. */
export async function listNotifications(actor: Person): Promise<NotificationList> {
  return cachedForActor(actor, 'notifications', async () => read({ AND: [ownOf(actor), await inSight(actor)] }))
}

async function inSight(actor: Person): Promise<Prisma.NotificationWhereInput> {
  if (seesAll(await rightOf(actor))) return {}
  const rows = await db().notification.findMany({ where: { ...ownOf(actor), subjectKind: { in: [...withTarget] } }, select: about })
  const idsOf = (kind: string) => rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === kind && subjectId ? [subjectId] : []))
  const [servers, sites, jobs, batches, held] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
    findJobsInSight(actor, idsOf('job')),
    findBatchesInSight(actor, idsOf('batch')),
    db()
      .heldRequest.findMany({ where: { teamId: actor.team.id, id: { in: idsOf('heldRequest') } } })
      .then((requests) => keepSeen(actor, requests)),
  ])
  const seen = [...servers.keys(), ...sites.keys(), ...jobs, ...batches, ...held.map(({ row }) => row.id)]
  return { OR: [{ subjectKind: null }, { subjectKind: { notIn: [...withTarget] } }, { subjectId: { in: seen } }] }
}

async function findJobsInSight(actor: Person, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { where, keeps } = await siftJobs(actor)
  const select = { id: true, operation: true, serverId: true, siteId: true } as const
  const jobs = await db().job.findMany({ where: { AND: [where, { id: { in: ids } }] }, select })
  return jobs.filter(keeps).map(({ id }) => id)
}

async function findBatchesInSight(actor: Person, ids: string[]): Promise<string[]> {
  // Mostly there is none, which is known sooner than what the actor sees.
  if (ids.length === 0) return []
  const where = { AND: [await batchesVisibleTo(actor), { id: { in: ids } }] }
  return (await db().batch.findMany({ where, select: { id: true } })).map(({ id }) => id)
}

const withTarget = ['server', 'site', 'job', 'batch', 'heldRequest'] as const
const about = { subjectKind: true, subjectId: true } as const

/** One as it is sent outside Gatehouse. */
export type NotificationEvent = Pick<NotificationView, 'id' | 'text' | 'href' | 'at'> & Pick<Notification, 'kind' | 'subjectId' | 'onceKey'>

/** Of events, by their onceKey: those that the member was notified of and sees now, oldest first. */
export async function listInSight(actor: Person, onceKeys: readonly string[]): Promise<NotificationEvent[]> {
  const where = { AND: [ownOf(actor), { onceKey: { in: [...onceKeys] } }, await inSight(actor)] }
  const rows = await db().notification.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map((row) => ({ ...viewOf(row), kind: row.kind, subjectId: row.subjectId, onceKey: row.onceKey }))
}

const viewOf = ({ id, kind, subjectKind, subjectId, detail, createdAt }: Notification) => ({
  id,
  text: describeNotification(kind, parseDetail(detail)),
  href: hrefOf(kind, subjectKind, subjectId, parseDetail(detail)),
  at: createdAt.toISOString(),
})

async function read(where: Prisma.NotificationWhereInput): Promise<NotificationList> {
  const [unread, rows] = await Promise.all([
    db().notification.count({ where: { AND: [where, { readAt: null }] } }),
    db().notification.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: newest }),
  ])
  const items = rows.map((row) => ({ ...viewOf(row), unread: row.readAt === null }))
  return { unread, items }
}

function parseDetail(text: string): Detail {
  const parsed: unknown = JSON.parse(text)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

/** Field: notificationId. Another user’s is the same `not_found` as an unknown one. */
export async function markRead({ actor, field }: OwnInput): Promise<Outcome<object>> {
  const where = { ...ownOf(actor), id: field('notificationId') }
  if ((await db().notification.count({ where })) === 0) return { ok: false, problem: problem('not_found') }
  await db().notification.updateMany({ where: { ...where, readAt: null }, data: { readAt: new Date() } })
  return { ok: true, data: {} }
}

export async function markAllRead({ actor }: OwnInput): Promise<Outcome<object>> {
  await db().notification.updateMany({ where: { ...ownOf(actor), readAt: null }, data: { readAt: new Date() } })
  return { ok: true, data: {} }
}
