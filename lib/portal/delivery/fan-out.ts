/** Hands notifications to the channels of the members they are for. */
import 'server-only'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { Channel, Notification } from '@/prisma/generated/portal/client'
import { addFirstMails } from './first-mail'
import { maxFailures } from './plan'
import { isPersonalEvent, readTopics, topicOf } from './topics'

const atOnce = 200

type Handed = { channel: Channel; row: Notification }

/** Each notification once, in one transaction with the mark that it was handed on. */
export async function fanOut(now: Date): Promise<void> {
  for (;;) {
    const rows = await db().notification.findMany({ where: { sentAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: atOnce })
    if (rows.length === 0) return
    await addFirstMails(rows)
    const handed = await findHanded(rows)
    const data = handed.map(({ channel, row }) => ({ channelId: channel.id, notificationId: row.id }))
    await db().$transaction([
      db().deliveryItem.createMany({ data }),
      db().notification.updateMany({ where: { id: { in: rows.map(({ id }) => id) } }, data: { sentAt: now } }),
    ])
    if (rows.length < atOnce) return
  }
}

/**
 * Each channel gets what its member is notified of. One of the team whose member has left gets each event, whoever was notified of it: who takes it
 * over sends those that they were notified of themselves.
 */
async function findHanded(rows: readonly Notification[]): Promise<Handed[]> {
  const teamIds = [...new Set(rows.map(({ teamId }) => teamId))]
  const [channels, members, own] = await Promise.all([
    db().channel.findMany({ where: { teamId: { in: teamIds } } }),
    db().membership.findMany({ where: { teamId: { in: teamIds }, user: { disabledAt: null }, ...lastingMemberships() } }),
    findOwnConnections(rows),
  ])
  const present = new Set(members.map(({ teamId, userId }) => `${teamId} ${userId}`))
  const isFor = ({ userId, teamId, seesAsId }: Channel, row: Notification) =>
    seesAsId === row.userId || (userId === null && !present.has(`${teamId} ${seesAsId}`))
  const handed = rows.flatMap((row) =>
    channels.filter((channel) => isFor(channel, row) && takes(channel, row, own)).map((channel) => ({ channel, row })),
  )
  return withoutKnown(handed)
}

/** Each event once for each channel, also if another member's notification of it was handed on before the channel was taken over. */
async function withoutKnown(handed: readonly Handed[]): Promise<Handed[]> {
  const channelIds = [...new Set(handed.flatMap(({ channel: { id, userId } }) => (userId === null ? [id] : [])))]
  const onceKeys = [...new Set(handed.map(({ row }) => row.onceKey))]
  const items = await db().deliveryItem.findMany({
    where: { channelId: { in: channelIds }, notification: { onceKey: { in: onceKeys } } },
    select: { channelId: true, notification: { select: { onceKey: true } } },
  })
  const known = new Set(items.map(({ channelId, notification }) => `${channelId} ${notification.onceKey}`))
  return handed.filter(({ channel, row }) => {
    const event = `${channel.id} ${row.onceKey}`
    if (known.has(event)) return false
    known.add(event)
    return true
  })
}

/**
 * Not if somebody turned the channel off; one that Gatehouse turned off keeps what it missed. own: notifications about a member's own
 * connection.
 */
function takes(channel: Channel, { id, teamId, kind, detail, createdAt }: Notification, own: ReadonlySet<string>): boolean {
  if (channel.teamId !== teamId || createdAt < channel.createdAt) return false
  if (channel.offAt !== null && channel.failures < maxFailures) return false
  const topic = topicOf(kind, readDetail(detail).operation)
  if (!readTopics(channel.topics).includes(topic)) return false
  return channel.userId !== null || !(isPersonalEvent(kind, topic) || own.has(id))
}

/** The notifications that are about a member's own connection, which is not the team's to know. One that is gone may have been that. */
async function findOwnConnections(rows: readonly Notification[]): Promise<Set<string>> {
  const about = rows.filter(({ subjectKind }) => subjectKind === 'connection')
  const ids = about.flatMap(({ subjectId }) => subjectId ?? [])
  const shared = await db().connection.findMany({ where: { id: { in: ids }, ownerId: null }, select: { id: true } })
  const known = new Set(shared.map(({ id }) => id))
  return new Set(about.filter(({ subjectId }) => !known.has(subjectId ?? '')).map(({ id }) => id))
}
