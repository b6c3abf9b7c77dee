/** Sends what waits for channels. Each message is tried until it is accepted, with growing waits, until the channel is turned off. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { fewAtOnce } from '@/lib/portal/base/few-at-once'
import { leadRounds } from '@/lib/portal/base/portals/rounds'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import type { Channel, Delivery } from '@/prisma/generated/portal/client'
import { composeEvents, forgetOld, writeMessage } from './compose'
import { startDigests } from './digest'
import { fanOut } from './fan-out'
import { noteAccepted, noteDropped, noteRefused } from './note'
import { waitAfter } from './plan'
import { isQuiet } from './quiet'
import { type SendReply, sendTo } from './send'

const everyMs = 15_000
const few = fewAtOnce('deliveries', { atOnce: 4, maxWaiting: 100_000 })

export const deliverRegularly = (): void => leadRounds({ everyMs, failure: 'notifications could not be sent', work: () => deliver() })

/** One round: hands new notifications on, and sends each channel at most one message. */
export async function deliver(now = new Date()): Promise<void> {
  await fanOut(now)
  await startDigests(now)
  const due = { state: 'waiting', dueAt: { lte: now } } as const
  const channels = await db().channel.findMany({
    where: { offAt: null, OR: [{ items: { some: { deliveryId: null } } }, { deliveries: { some: due } }] },
    select: { id: true },
  })
  const sending = channels.map(({ id }) =>
    few(() => deliverTo(id, now)).catch((err: unknown) => log.error({ err, channelId: id }, 'a channel could not be served')),
  )
  await Promise.all(sending)
}

/** In order: nothing is sent before the message that waits to be tried again. The channel is read at its turn, as it may be off by then. */
async function deliverTo(channelId: string, now: Date): Promise<void> {
  const channel = await db().channel.findFirst({ where: { id: channelId, offAt: null } })
  if (!channel) return
  await forgetOld(channelId, now)
  const waiting = await db().delivery.findFirst({
    where: { channelId, state: 'waiting' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  // First, so that quiet hours cost the same however much happens in them.
  if (waiting?.kind !== 'digest' && isQuiet(channel, now)) return
  const delivery = waiting ?? (await composeEvents(channel, now))
  if (delivery && delivery.dueAt <= now) await attempt(channel, delivery, now)
}

/**
 * Sends a message once. The attempt is counted before it is made: if this process dies meanwhile, the message is sent again later, under
 * the same id. Null if it is not sent: another process took it, the channel was turned off or taken over meanwhile, nothing of it is in sight
 * any more, or whoever set the channel up has left, so that it waits for who takes it over. A test is sent although the channel is off.
 */
export async function attempt(channel: Channel, delivery: Delivery, now: Date): Promise<SendReply | null> {
  const { id, attempts } = delivery
  const member = await findAbsentMember(channel.teamId, channel.seesAsId)
  if (!member) return null
  const dueAt = new Date(now.getTime() + waitAfter(channel.failures + 1))
  const same = delivery.kind === 'test' ? {} : { channel: { offAt: null, secretVersion: channel.secretVersion } }
  const claim = await db().delivery.updateMany({
    where: { id, state: 'waiting', attempts, ...same },
    data: { attempts: attempts + 1, dueAt },
  })
  if (claim.count === 0) return null
  const addressed = await writeMessage(channel, member, delivery, now)
  if (!addressed) {
    await noteDropped(delivery, now)
    return null
  }
  const reply = await sendTo(channel, addressed)
  await (reply.ok ? noteAccepted : noteRefused)(channel, delivery, reply, now)
  return reply
}
