/** Stores how an attempt went, and turns a channel off that accepts nothing. The audit log says what was sent, and what was not. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { Channel, Delivery } from '@/prisma/generated/portal/client'
import { isHopeless, maxFailures } from './plan'
import type { SendReply } from './send'

export async function noteDropped({ id }: Delivery, now: Date): Promise<void> {
  await db().delivery.update({ where: { id }, data: { state: 'dropped', endedAt: now, answer: 'Nothing of it is in sight any more.' } })
}

/**
 * What waits is then sent at once: the receiver is back. The entry comes first: if this process ends before the message is marked, it is sent again
 * and there are two entries, never none.
 */
export async function noteAccepted(channel: Channel, delivery: Delivery, { status, answer }: SendReply, now: Date): Promise<void> {
  const { id } = channel
  try {
    await record(channel, delivery, 'done', status)
  } catch (error) {
    // It is sent again, so after a longer wait each time.
    await db().channel.update({ where: { id }, data: { failures: { increment: 1 } } })
    throw error
  }
  await db().$transaction([
    db().delivery.update({ where: { id: delivery.id }, data: { state: 'done', status, answer, endedAt: now } }),
    db().delivery.updateMany({ where: { channelId: id, state: 'waiting' }, data: { dueAt: now } }),
    db().channel.updateMany({ where: { id, failures: { lt: maxFailures } }, data: { failures: 0 } }),
  ])
}

/**
 * A test is tried once and counts for nothing. Of others the first failure is recorded, the one that ends the message, and the one that turns
 * the channel off.
 */
export async function noteRefused(channel: Channel, delivery: Delivery, { status, answer }: SendReply, now: Date): Promise<void> {
  const { id } = delivery
  if (delivery.kind === 'test') {
    await db().delivery.update({ where: { id }, data: { state: 'failed', status, answer, endedAt: now } })
    return record(channel, delivery, 'failed', status)
  }
  const hopeless = isHopeless(status, delivery.attempts + 1)
  const ended = hopeless ? ({ state: 'failed', endedAt: now } as const) : {}
  await db().delivery.update({ where: { id }, data: { status, answer, ...ended } })
  const { failures } = await db().channel.update({ where: { id: channel.id }, data: { failures: { increment: 1 } } })
  if (failures >= maxFailures) await turnOff(channel, delivery, now)
  if (failures >= maxFailures || hopeless || delivery.attempts === 0) await record(channel, delivery, 'failed', status)
}

/** Tells its member, or for a channel of the team those who keep it. */
async function turnOff({ id, teamId, userId, label }: Channel, delivery: Delivery, now: Date): Promise<void> {
  await db().$transaction([
    db().delivery.update({ where: { id: delivery.id }, data: { state: 'failed', endedAt: now } }),
    db().channel.update({ where: { id }, data: { offAt: now } }),
  ])
  const onceKey = `channel_off ${id} ${now.toISOString()}`
  const subject = userId === null ? ({ kind: 'team', id: teamId } as const) : ({ kind: 'user', id: userId } as const)
  const userIds = userId === null ? await findMembers(teamId, ['owner', 'admin']) : [userId]
  await notify({ teamId, userIds, kind: 'channel_off', onceKey, subject, detail: { label }, at: now })
}

/** code: the status of the receiver's answer. count: of notifications. */
async function record(
  { teamId, userId, seesAsId, kind, label }: Channel,
  delivery: Delivery,
  outcome: 'done' | 'failed',
  status: number | null,
): Promise<void> {
  await recordAudit({
    teamId,
    actor: { kind: 'gatehouse' },
    action: 'channel.deliver',
    object: userId === null ? { kind: 'team', id: teamId } : { kind: 'user', id: seesAsId },
    stage: 'event',
    outcome,
    detail: {
      label,
      via: kind,
      purpose: delivery.kind,
      count: await db().deliveryItem.count({ where: { deliveryId: delivery.id } }),
      code: status === null ? undefined : String(status),
    },
  })
}
