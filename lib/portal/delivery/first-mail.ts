/** The mail channel that a member gets with the first approval that is wanted from them or given to them. docs/decisions/075-channels.md */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { sealChannel } from '@/lib/portal/custody/channel'
import type { Notification, Prisma } from '@/prisma/generated/portal/client'
import { readTopics, type Topic, topicOf } from './topics'

const topic: Topic = 'approvals'
const label = 'Mail'

/**
 * Whoever waits for an approval must not depend on who looks at the bell. It is a channel like any other, and is not made again once it was
 * removed. Called before these are handed on, oldest first. Without a mail server nothing is set up, until there is one.
 */
export async function addFirstMails(rows: readonly Notification[]): Promise<void> {
  if (!sendsMail()) return
  const first = new Map<string, Notification>()
  for (const row of rows) {
    const key = `${row.teamId} ${row.userId}`
    if (topicOf(row.kind, undefined) === topic && !first.has(key)) first.set(key, row)
  }
  for (const row of first.values()) await addFor(row)
}

async function addFor({ teamId, userId, createdAt }: Notification): Promise<void> {
  const where = { userId, teamId, firstMailAt: null }
  if ((await db().membership.count({ where })) === 0) return
  const hasOwn = async (client: Prisma.TransactionClient = db()) => {
    const own = await client.channel.findMany({ where: { teamId, userId, kind: 'mail' }, select: { topics: true } })
    return own.some(({ topics }) => readTopics(topics).includes(topic))
  }
  const id = createOpaqueId()
  const identity = { id, teamId, userId, seesAsId: userId, kind: 'mail', place: '', secretVersion: 1 } as const
  const sealed = await sealChannel(identity, {})
  // Before the channel: if this process ends in between, the channel is set up in the next round and there are two entries, never none.
  if (!(await hasOwn())) {
    const event = { teamId, actor: { kind: 'gatehouse' }, action: 'channel.add', object: { kind: 'user', id: userId } } as const
    await recordAudit({ ...event, stage: 'event', outcome: 'done', detail: { label, via: 'mail' } })
  }
  await db().$transaction(async (tx) => {
    const { count } = await tx.membership.updateMany({ where, data: { firstMailAt: new Date() } })
    if (count === 0 || (await hasOwn(tx))) return
    // As old as what it is for, which it would not send otherwise.
    await tx.channel.create({ data: { ...identity, ...sealed, label, topics: topic, createdAt } })
  })
}
