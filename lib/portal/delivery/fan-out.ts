/** Hands notifications to the channels of the members they are for. */
import 'server-only'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import type { Channel, Notification } from '@/prisma/generated/portal/client'
import { maxFailures } from './plan'
import { isPersonalEvent, readTopics, topicOf } from './topics'

const atOnce = 200

/** Each notification once, in one transaction with the mark that it was handed on. */
export async function fanOut(now: Date): Promise<void> {
  for (;;) {
    const rows = await db().notification.findMany({ where: { sentAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: atOnce })
    if (rows.length === 0) return
    const channels = await db().channel.findMany({ where: { seesAsId: { in: [...new Set(rows.map(({ userId }) => userId))] } } })
    const wanted = rows.flatMap((row) =>
      channels.filter((channel) => takes(channel, row)).map(({ id }) => ({ channelId: id, notificationId: row.id })),
    )
    const own = await findOwnConnections(rows)
    const shared = new Set(channels.filter(({ userId }) => userId === null).map(({ id }) => id))
    const data = wanted.filter(({ channelId, notificationId }) => !shared.has(channelId) || !own.has(notificationId))
    await db().$transaction([
      db().deliveryItem.createMany({ data }),
      db().notification.updateMany({ where: { id: { in: rows.map(({ id }) => id) } }, data: { sentAt: now } }),
    ])
    if (rows.length < atOnce) return
  }
}

/** Not if somebody turned the channel off; one that Gatehouse turned off keeps what it missed. */
function takes(channel: Channel, { teamId, userId, kind, detail, createdAt }: Notification): boolean {
  if (channel.teamId !== teamId || channel.seesAsId !== userId || createdAt < channel.createdAt) return false
  if (channel.offAt !== null && channel.failures < maxFailures) return false
  const topic = topicOf(kind, readDetail(detail).operation)
  return readTopics(channel.topics).includes(topic) && !(channel.userId === null && isPersonalEvent(kind, topic))
}

/** The notifications that are about a member's own connection, which is not the team's to know. One that is gone may have been that. */
async function findOwnConnections(rows: readonly Notification[]): Promise<Set<string>> {
  const about = rows.filter(({ subjectKind }) => subjectKind === 'connection')
  const ids = about.flatMap(({ subjectId }) => subjectId ?? [])
  const shared = await db().connection.findMany({ where: { id: { in: ids }, ownerId: null }, select: { id: true } })
  const known = new Set(shared.map(({ id }) => id))
  return new Set(about.filter(({ subjectId }) => !known.has(subjectId ?? '')).map(({ id }) => id))
}
