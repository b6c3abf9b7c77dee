/** Channels and what was sent to them, for their pages. Never an address with its secrets. */
import 'server-only'
import { may } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import type { Person } from '@/lib/portal/identity/actor'
import { listInSight } from '@/lib/portal/views/notifications/list'
import type { Channel, ChannelKind, DeliveryKind, DeliveryState } from '@/prisma/generated/portal/client'
import { maxFailures } from './plan'
import { formatTimeOfDay } from './quiet'
import { readTopics, type Topic } from './topics'

/** dueAt: of the next attempt; null if there is none. count: of notifications. texts: of
 * the first of these those that are the reader's, as far as they see them. */
export type DeliveryView = {
  id: string
  kind: DeliveryKind
  state: DeliveryState
  attempts: number
  status: number | null
  answer: string
  at: string
  endedAt: string | null
  dueAt: string | null
  count: number
  texts: readonly string[]
}

/**
 * off: by whom; null while it is on. Times of the day: "22:00", empty for none. seesAs: of a channel of the team, the member who decides what
 * it shows; without a name if they have left. messages: how many there are; deliveries: the newest of them.
 */
export type ChannelView = {
  id: string
  kind: ChannelKind
  label: string
  place: string
  topics: readonly Topic[]
  quietFrom: string
  quietTo: string
  digestAt: string
  timeZone: string
  failures: number
  off: 'member' | 'gatehouse' | null
  seesAs: { name: string | null; self: boolean } | null
  messages: number
  deliveries: readonly DeliveryView[]
}

const newest = 10

/** Of a message with many. */
const mostTexts = 20

/** How many messages to list of one channel, by its id; of the others the newest ten. */
type Listed = { channelId: string; most: number }

export const listChannels = (actor: Person, listed?: Listed): Promise<ChannelView[]> => list(actor, actor.user.id, listed)

/** Those of the team; for who may change it. */
export const listTeamChannels = (actor: Person, listed?: Listed): Promise<ChannelView[]> =>
  may(actor.role, 'team', 'change') ? list(actor, null, listed) : Promise.resolve([])

async function list(actor: Person, userId: string | null, listed?: Listed): Promise<ChannelView[]> {
  const where = { teamId: actor.team.id, userId }
  const rows = await db().channel.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return Promise.all(
    rows.map(async (row) => {
      const most = row.id === listed?.channelId ? listed.most : newest
      const [deliveries, messages, member] = await Promise.all([
        listDeliveries(actor, row, most),
        db().delivery.count({ where: { channelId: row.id } }),
        findAbsentMember(row.teamId, row.seesAsId),
      ])
      return {
        ...viewOf(row),
        seesAs: userId === null ? { name: member?.user.name ?? null, self: row.seesAsId === actor.user.id } : null,
        messages,
        deliveries,
      }
    }),
  )
}

const timeOf = (minutes: number | null): string => (minutes === null ? '' : formatTimeOfDay(minutes))

const viewOf = ({ id, kind, label, place, topics, quietFrom, quietTo, digestAt, timeZone, failures, offAt }: Channel) => ({
  id,
  kind,
  label,
  place,
  topics: readTopics(topics),
  quietFrom: timeOf(quietFrom),
  quietTo: timeOf(quietTo),
  digestAt: timeOf(digestAt),
  timeZone,
  failures,
  off: offAt === null ? null : failures >= maxFailures ? ('gatehouse' as const) : ('member' as const),
})

async function listDeliveries(actor: Person, { id }: Channel, most: number): Promise<DeliveryView[]> {
  const rows = await db().delivery.findMany({
    where: { channelId: id },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: most,
    include: { _count: { select: { items: true } } },
  })
  // One limited read for each: a message may have a thousand events.
  const keys = new Map<string, string[]>()
  for (const { id } of rows) keys.set(id, await readKeys(id))
  const seen = await listInSight(actor, [...keys.values()].flat())
  const texts = new Map(seen.map(({ onceKey, text }) => [onceKey, text]))
  return rows.map(({ id, kind, state, attempts, status, answer, createdAt, endedAt, dueAt, _count }) => ({
    id,
    kind,
    state,
    attempts,
    status,
    answer,
    at: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    dueAt: state === 'waiting' ? dueAt.toISOString() : null,
    count: _count.items,
    texts: (keys.get(id) ?? []).flatMap((key) => texts.get(key) ?? []),
  }))
}

async function readKeys(deliveryId: string): Promise<string[]> {
  const items = await db().deliveryItem.findMany({
    where: { deliveryId },
    select: { notification: { select: { onceKey: true } } },
    orderBy: { notification: { createdAt: 'asc' } },
    take: mostTexts,
  })
  return items.map(({ notification }) => notification.onceKey)
}
