/** When servers were last backed up, by what they told of their nightly backups. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from './visible'

const dayMs = 86_400_000
/** A server that told of a backup within this time is expected to make one each night. As long as servers name their events. */
const rememberedMs = 7 * dayMs

/** A nightly backup begins at another minute each night, and takes a while: one that ended within this time is of last night. */
export const backupNightMs = 26 * 3_600_000

/** By server, of those that told of a backup. doneAt: when the newest one that succeeded ended, in ms since 1970; null if none did. */
export async function readNewestBackups(actor: Actor, now: number): Promise<Map<string, { doneAt: number | null }>> {
  const { where, keeps } = await siftJobs(actor)
  const backups = { operation: 'event.backup', serverId: { not: null }, startedAt: { gt: new Date(now - rememberedMs) } } as const
  const rows = await db().job.groupBy({ by: ['serverId', 'state'], where: { AND: [where, backups] }, _max: { endedAt: true } })
  const newest = new Map<string, { doneAt: number | null }>()
  for (const { serverId, state, _max: max } of rows) {
    if (serverId === null || !keeps({ operation: 'event.backup', serverId, siteId: null })) continue
    const doneAt = state === 'done' ? (max.endedAt?.getTime() ?? null) : null
    newest.set(serverId, { doneAt: doneAt ?? newest.get(serverId)?.doneAt ?? null })
  }
  return newest
}
