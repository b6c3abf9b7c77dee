/** Deletes what signing in leaves behind: old sessions, expired links, and counters that no longer count. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { forgetOldTries } from '@/lib/portal/identity/throttle'

const keptMs = 90 * 24 * 60 * 60_000

/**
 * Keeps the sessions of the last 90 days, and older ones of users who have not signed in since: the page Team shows when they were last
 * seen. Returns how many rows were deleted.
 */
export async function pruneSignIns(now = new Date()): Promise<number> {
  const recent = new Date(now.getTime() - keptMs)
  const where = { expiresAt: { lt: recent }, user: { sessions: { some: { expiresAt: { gte: recent } } } } }
  const { count: sessions } = await db().session.deleteMany({ where })
  const { count: links } = await db().oneTimeLink.deleteMany({ where: { expiresAt: { lt: now } } })
  return sessions + links + (await forgetOldTries(now.getTime()))
}
