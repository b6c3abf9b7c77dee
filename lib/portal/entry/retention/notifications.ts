/** Deletes old notifications, read or not. */
import 'server-only'
import { db } from '@/lib/portal/base/db'

const keptMs = 90 * 24 * 60 * 60_000

/** Keeps those of the last 90 days, and the messages to channels. Returns how many notifications were deleted. */
export async function pruneNotifications(now = new Date()): Promise<number> {
  const createdAt = { lt: new Date(now.getTime() - keptMs) }
  await db().delivery.deleteMany({ where: { createdAt } })
  return (await db().notification.deleteMany({ where: { createdAt } })).count
}
