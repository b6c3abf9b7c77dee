/** A user’s own notifications, and marking them as read. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { type Detail, describeNotification, hrefOf } from './sentences'

/** at: ISO. href: the page of what it is about; null if there is none. */
export type NotificationView = { id: string; text: string; href: string | null; at: string; unread: boolean }

/** items: the newest 200. */
export type NotificationList = { unread: number; items: readonly NotificationView[] }

const newest = 200

const ownOf = ({ user, team }: Person) => ({ userId: user.id, teamId: team.id })

/** Newest first. */
export function listNotifications(actor: Person): Promise<NotificationList> {
  const where = ownOf(actor)
  return cachedUntilWrite(`notifications ${where.teamId} ${where.userId}`, async () => {
    const [unread, rows] = await Promise.all([
      db().notification.count({ where: { ...where, readAt: null } }),
      db().notification.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: newest }),
    ])
    const items = rows.map(({ id, kind, subjectKind, subjectId, detail, createdAt, readAt }) => ({
      id,
      text: describeNotification(kind, parseDetail(detail)),
      href: hrefOf(kind, subjectKind, subjectId),
      at: createdAt.toISOString(),
      unread: readAt === null,
    }))
    return { unread, items }
  })
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
