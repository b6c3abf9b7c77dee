/** Makes messages of what waits for a channel, and says what a message contains for whoever it is sent to. */
import 'server-only'
import { mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { listInSight } from '@/lib/portal/views/notifications/list'
import { getSettings } from '@/lib/settings/settings'
import { showBidiControls } from '@/lib/text/bidi'
import type { Channel, Delivery } from '@/prisma/generated/portal/client'
import { writeDigest } from './digest'
import type { Message } from './formats'
import { calmKinds, calmOf, type Earlier, earlierMs, groupEvents, planMessage } from './plan'

/** Older events are not sent any more: nobody waits for them, and the bell has them. */
const keptMs = 7 * 24 * 60 * 60_000

/** What waits for too long: events, and a message of events that could not be sent as nobody has the channel. */
export async function forgetOld(channelId: string, now: Date): Promise<void> {
  const before = { lt: new Date(now.getTime() - keptMs) }
  await db().deliveryItem.deleteMany({ where: { channelId, deliveryId: null, notification: { createdAt: before } } })
  await db().delivery.deleteMany({ where: { channelId, kind: 'events', state: 'waiting', attempts: 0, createdAt: before } })
}

/** The next message of the channel's events, stored with them in one transaction; null if there is none yet. */
export async function composeEvents(channel: Channel, now: Date): Promise<Delivery | null> {
  const { id: channelId } = channel
  const waiting = { channelId, deliveryId: null }
  const items = await db().deliveryItem.findMany({ where: waiting, include: { notification: true } })
  if (items.length === 0) return null
  const pending = items.map(({ notification: { id, kind, subjectId, createdAt } }) => ({ id, kind, subjectId, at: createdAt }))
  const ids = planMessage(pending, await findEarlier(channelId, now), channel, now)
  if (ids.length === 0) return null
  const id = createOpaqueId()
  const [delivery] = await db().$transaction([
    db().delivery.create({ data: { id, channelId, kind: 'events', createdAt: now, dueAt: now } }),
    db().deliveryItem.updateMany({ where: { ...waiting, notificationId: { in: ids } }, data: { deliveryId: id } }),
  ])
  return delivery
}

async function findEarlier(channelId: string, now: Date): Promise<Earlier[]> {
  const rows = await db().delivery.findMany({
    where: { channelId, kind: 'events', createdAt: { gt: new Date(now.getTime() - earlierMs) } },
    select: {
      createdAt: true,
      items: {
        where: { notification: { kind: { in: [...calmKinds] } } },
        select: { notification: { select: { kind: true, subjectId: true } } },
      },
    },
  })
  return rows.map(({ createdAt, items }) => ({
    at: createdAt,
    calm: new Set(items.flatMap(({ notification }) => calmOf(notification) ?? [])),
  }))
}

/**
 * to: the account's own address, for mail. inside: whether it may go to what ALLOW_PRIVATE_UPSTREAMS permits, as for those who could add a
 * connection there.
 */
export type Addressed = { message: Message; to: string; inside: boolean }

/** Written again for each attempt, from what the member sees then. Null if that is nothing. */
export async function writeMessage(channel: Channel, member: Person, { id, kind }: Delivery, now: Date): Promise<Addressed | null> {
  // The signature says when it is sent, which may be long after its round began.
  const common = { id, kind, team: member.team.name, at: new Date(), publicUrl: getSettings().publicUrl }
  const test = `This is a test of the channel “${channel.label}”.`
  const addressed = { to: member.user.email, inside: channel.userId === null || mayKeep(member.role, 'own') }
  if (kind === 'test') return { message: { ...common, events: [], lines: [test] }, ...addressed }
  if (kind === 'digest') {
    const lines = await writeDigest(member, now)
    return lines.length === 0 ? null : { message: { ...common, events: [], lines: lines.map(showBidiControls) }, ...addressed }
  }
  const items = await db().deliveryItem.findMany({ where: { deliveryId: id }, select: { notification: { select: { onceKey: true } } } })
  const seen = await listInSight(
    member,
    items.map(({ notification }) => notification.onceKey),
  )
  return seen.length === 0 ? null : { message: { ...common, events: groupEvents(seen), lines: [] }, ...addressed }
}
