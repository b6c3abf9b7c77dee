/** Deletes old notifications, read or not. */
import 'server-only'
import { db } from '@/lib/portal/base/db'

const keptMs = 90 * 24 * 60 * 60_000

/** Keeps those of the last 90 days. Returns how many were deleted. */
export async function pruneNotifications(now = new Date()): Promise<number> {
  return (await db().notification.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - keptMs) } } })).count
}
