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
export async function notify({ teamId, userIds, kind, onceKey, subject, detail = {}, at }: NewNotification): Promise<void> {
  const row = {
    ...(at && { createdAt: at }),
    teamId,
    kind,
    onceKey,
    subjectKind: subject?.kind ?? null,
    subjectId: subject?.id ?? null,
    detail: JSON.stringify(detail),
  }
  for (const userId of new Set(userIds)) {
    try {
      await db().notification.upsert({
        where: { userId_onceKey: { userId, onceKey } },
        create: { id: createOpaqueId(), userId, ...row },
        update: {},
      })
    } catch (error) {
      log.error({ err: error, kind }, 'a notification could not be stored')
    }
  }
}
