/** Makes messages of what waits for a channel, and says what a message contains for whoever it is sent to. */
import 'server-only'
import { mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import { listInSight } from '@/lib/portal/views/notifications/list'
import { getSettings } from '@/lib/settings/settings'
import { showBidiControls } from '@/lib/text/bidi'
import type { Channel, Delivery } from '@/prisma/generated/portal/client'
import { writeDigest } from './digest'
import type { Message } from './formats'
import { calmMs, type Earlier, groupEvents, planMessage } from './plan'

/** Older events are not sent any more: nobody waits for them, and the bell has them. */
const keptMs = 7 * 24 * 60 * 60_000

/** The next message of the channel's events, stored with them in one transaction; null if there is none yet. */
export async function composeEvents(channel: Channel, now: Date): Promise<Delivery | null> {
  const { id: channelId } = channel
  const waiting = { channelId, deliveryId: null }
  await db().deliveryItem.deleteMany({ where: { ...waiting, notification: { createdAt: { lt: new Date(now.getTime() - keptMs) } } } })
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

/** One for each message and each server whose reachability it was about. */
async function findEarlier(channelId: string, now: Date): Promise<Earlier[]> {
  const rows = await db().deliveryItem.findMany({
    where: {
      channelId,
      delivery: { createdAt: { gt: new Date(now.getTime() - calmMs) } },
      notification: { kind: { in: ['server_unreachable', 'server_reachable'] } },
    },
    select: { deliveryId: true, delivery: { select: { createdAt: true } }, notification: { select: { subjectId: true } } },
  })
  const earlier = rows.flatMap(({ deliveryId, delivery, notification: { subjectId } }) =>
    delivery ? [[`${deliveryId} ${subjectId}`, { subjectId, at: delivery.createdAt }] as const] : [],
  )
  return [...new Map(earlier).values()]
}

/**
 * to: the account's own address, for mail. inside: whether it may go to what ALLOW_PRIVATE_UPSTREAMS permits, as for those who could add a
 * connection there.
 */
export type Addressed = { message: Message; to: string; inside: boolean }

/** Written again for each attempt, from what the member sees then. Null if that is nothing, or they are no member any more. */
export async function writeMessage(channel: Channel, { id, kind }: Delivery, now: Date): Promise<Addressed | null> {
  const member = await findAbsentMember(channel.teamId, channel.seesAsId)
  if (!member) return null
  // The signature says when it is sent, which may be long after its round began.
  const common = { id, kind, team: member.team.name, at: new Date(), publicUrl: getSettings().publicUrl }
  const test = `This is a test of the channel “${channel.label}”.`
  const addressed = { to: member.user.email, inside: channel.userId === null || mayKeep(member.role, 'own') }
  if (kind === 'test') return { message: { ...common, events: [], lines: [test] }, ...addressed }
  if (kind === 'digest') {
    const lines = await writeDigest(member, now)
    return lines.length === 0 ? null : { message: { ...common, events: [], lines: lines.map(showBidiControls) }, ...addressed }
  }
  const items = await db().deliveryItem.findMany({ where: { deliveryId: id }, select: { notificationId: true } })
  const seen = await listInSight(
    member,
    items.map(({ notificationId }) => notificationId),
  )
  return seen.length === 0 ? null : { message: { ...common, events: groupEvents(seen), lines: [] }, ...addressed }
}
