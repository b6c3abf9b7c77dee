/** A user’s own notifications, and marking them as read. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { keepSeen } from '@/lib/portal/approvals/find'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { batchesVisibleTo } from '@/lib/portal/batches/visible'
import type { Person } from '@/lib/portal/identity/actor'
import { jobsVisibleTo } from '@/lib/portal/jobs/visible'
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
  const where = ownOf(actor)
  if (!seesAll(await rightOf(actor))) return read({ AND: [where, await inSight(actor)] })
  return cachedUntilWrite(`notifications ${where.teamId} ${where.userId}`, () => read(where))
}

async function inSight(actor: Person): Promise<Prisma.NotificationWhereInput> {
  const rows = await db().notification.findMany({ where: { ...ownOf(actor), subjectKind: { in: [...withTarget] } }, select: about })
  const idsOf = (kind: string) => rows.flatMap(({ subjectKind, subjectId }) => (subjectKind === kind && subjectId ? [subjectId] : []))
  const [servers, sites, jobs, batches, held] = await Promise.all([
    findVisibleNames(actor, 'server', idsOf('server')),
    findVisibleNames(actor, 'site', idsOf('site')),
    jobsVisibleTo(actor).then((seen) => db().job.findMany({ where: { AND: [seen, { id: { in: idsOf('job') } }] }, select: { id: true } })),
    batchesVisibleTo(actor).then((seen) =>
      db().batch.findMany({ where: { AND: [seen, { id: { in: idsOf('batch') } }] }, select: { id: true } }),
    ),
    db()
      .heldRequest.findMany({ where: { teamId: actor.team.id, id: { in: idsOf('heldRequest') } } })
      .then((requests) => keepSeen(actor, requests)),
  ])
  const seen = [...servers.keys(), ...sites.keys(), ...[...jobs, ...batches].map(({ id }) => id), ...held.map(({ row }) => row.id)]
  return { OR: [{ subjectKind: null }, { subjectKind: { notIn: [...withTarget] } }, { subjectId: { in: seen } }] }
}

const withTarget = ['server', 'site', 'job', 'batch', 'heldRequest'] as const
const about = { subjectKind: true, subjectId: true } as const

/** One as it is sent outside Gatehouse. */
export type NotificationEvent = Pick<NotificationView, 'id' | 'text' | 'href' | 'at'> & Pick<Notification, 'kind' | 'subjectId' | 'onceKey'>

/** Of events, by their onceKey: those that the member was notified of and sees now, oldest first. */
export async function listInSight(actor: Person, onceKeys: readonly string[]): Promise<NotificationEvent[]> {
  const where = { AND: [ownOf(actor), { onceKey: { in: [...onceKeys] } }, seesAll(await rightOf(actor)) ? {} : await inSight(actor)] }
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
