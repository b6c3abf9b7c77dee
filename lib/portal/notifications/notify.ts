/** Stores notifications for users. Whoever notices an event calls this; the page reads them with list.ts. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { AuditObjectKind, NotificationKind } from '@/prisma/generated/portal/client'

export type NewNotification = {
  teamId: string
  /** Who should know. Each gets a row of their own. */
  userIds: readonly string[]
  kind: NotificationKind
  /** Identifies the event: the same one is stored once per user, however often it is noticed. */
  onceKey: string
  subject?: { kind: AuditObjectKind; id: string }
  /** What the sentence names: names and labels as they are now. Never a secret. */
  detail?: Readonly<Record<string, string | number>>
  /** When it was noticed; now by default. */
  at?: Date
}

/**
 * Never throws: a notification that cannot be stored is logged, because the event has already happened and the audit log has it.
 * The unique index on user and onceKey ignores repetitions.
 */
export const notify = (notification: NewNotification): Promise<void> => notifyAll([notification])

/**
 * What different users should know of one event. Stored for all of them or for nobody: whoever asks whether an event was reported finds any of
 * its rows, so one without the others would leave those who are missing untold.
 */
export async function notifyAll(notifications: readonly NewNotification[]): Promise<void> {
  try {
    await db().$transaction(notifications.flatMap(rowsOf).map((row) => db().notification.upsert(row)))
  } catch (error) {
    log.error({ err: error, kind: notifications[0]?.kind }, 'a notification could not be stored')
  }
}

/** The ids of the users who were notified of an event. */
export async function findNotified(onceKey: string): Promise<string[]> {
  const rows = await db().notification.findMany({ where: { onceKey }, select: { userId: true } })
  return rows.map(({ userId }) => userId)
}

function rowsOf({ teamId, userIds, kind, onceKey, subject, detail = {}, at }: NewNotification) {
  const row = {
    ...(at && { createdAt: at }),
    teamId,
    kind,
    onceKey,
    subjectKind: subject?.kind ?? null,
    subjectId: subject?.id ?? null,
    detail: JSON.stringify(detail),
  }
  return [...new Set(userIds)].map((userId) => ({
    where: { userId_onceKey: { userId, onceKey } },
    create: { id: createOpaqueId(), userId, ...row },
    update: {},
  }))
}
