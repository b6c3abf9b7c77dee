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
  const answer = 'Nothing of it is in sight any more.'
  await db().delivery.updateMany({ where: { id }, data: { state: 'dropped', endedAt: now, answer } })
}

// The entry comes first: if this process ends before the message is marked, it is sent again and there are two entries, never none. Marks
// nothing if the channel was removed meanwhile.

/** What waits is then sent at once: the receiver is back. */
export async function noteAccepted(channel: Channel, delivery: Delivery, { status, answer }: SendReply, now: Date): Promise<void> {
  const { id } = channel
  try {
    await record(channel, delivery, 'done', status)
  } catch (error) {
    // It is sent again, so after a longer wait each time.
    await countFailure(id)
    throw error
  }
  await db().$transaction([
    db().delivery.updateMany({ where: { id: delivery.id }, data: { state: 'done', status, answer, endedAt: now } }),
    db().delivery.updateMany({ where: { channelId: id, state: 'waiting' }, data: { dueAt: now } }),
    db().channel.updateMany({ where: { id, failures: { lt: maxFailures } }, data: { failures: 0 } }),
  ])
}

/**
 * A test is tried once and counts for nothing. Of others the first failure is recorded, the one that ends the message, and the one that turns
 * the channel off.
 */
export async function noteRefused(channel: Channel, delivery: Delivery, { status, answer }: SendReply, now: Date): Promise<void> {
  const isTest = delivery.kind === 'test'
  const failures = isTest ? 0 : await countFailure(channel.id)
  const isOff = failures >= maxFailures
  const ends = isTest || isOff || isHopeless(status, delivery.attempts + 1)
  if (ends || hasNoAnswer(delivery)) await record(channel, delivery, 'failed', status)
  if (isOff) await tellOff(channel, now)
  await db().$transaction([
    db().delivery.updateMany({ where: { id: delivery.id }, data: { status, answer, ...(ends && { state: 'failed', endedAt: now }) } }),
    ...(isOff ? [db().channel.updateMany({ where: { id: channel.id }, data: { offAt: now } })] : []),
  ])
}

/** Whether no attempt was noted yet. The number of attempts does not tell: it is counted before each. */
const hasNoAnswer = ({ status, answer }: Delivery): boolean => status === null && answer === ''

/** Before anything else, so that what goes wrong afterwards is tried again after a longer wait. Returns how many there are in a row. */
async function countFailure(id: string): Promise<number> {
  const [counted] = await db().channel.updateManyAndReturn({
    where: { id },
    data: { failures: { increment: 1 } },
    select: { failures: true },
  })
  return counted?.failures ?? 0
}

/** Tells its member, or for a channel of the team those who keep it, that it is off. */
async function tellOff({ id, teamId, userId, label }: Channel, now: Date): Promise<void> {
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
