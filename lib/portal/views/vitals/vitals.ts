/** What the list of servers shows beside each server: its newest figures, from what is stored already. */
import 'server-only'
import { contract } from '@/lib/contract'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { findGranted } from '@/lib/portal/access/decide'
import { serversListedFor } from '@/lib/portal/access/visible'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { readMeasureLines } from '@/lib/portal/base/sql/samples'
import type { Actor } from '@/lib/portal/identity/actor'
import { readNewestBackups } from '@/lib/portal/jobs/newest-backups'
import { readFindings } from '@/lib/portal/subjects/findings/findings'
import { answerSince, type Versioned } from '@/lib/portal/subjects/listing/version'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { readSiteCounts } from '@/lib/portal/subjects/sites/counts'

/**
 * One server, kept short because there may be thousands. disk, memory: percent; null if not measured within a day. updates: how many wait, those of
 * security among them; null if unknown. security: of security; 0 also if none are known of. sites: those that the reader sees. backupAt: minutes since 1970; null if no backup is known of.
 */
export type VitalsLine = [
  serverId: string,
  disk: number | null,
  memory: number | null,
  updates: number | null,
  security: number,
  sites: number,
  backupAt: number | null,
]

export type VitalsList = { vitals: VitalsLine[] }

export type VersionedVitals = Versioned<VitalsList>

type Measured = { disk: number | null; memory: number | null; updates: number | null }

const unmeasured: Measured = { disk: null, memory: null, updates: null }

const dayMinutes = 24 * 60

/** Of the servers whose summary the actor may read; calls no service. */
export async function readVitals(actor: Actor, now = Date.now()): Promise<VitalsList> {
  return cachedForActor(actor, 'vitals', async () => {
    const servers = await db().server.findMany({ where: await serversListedFor(actor), select: { id: true }, orderBy: { id: 'asc' } })
    const granted = await findGranted(
      actor,
      contract.servers.summary,
      'server',
      servers.map(({ id }) => id),
    )
    const [measures, security, sites, backups] = await Promise.all([
      readMeasures(actor.team.id, now),
      readSecurityUpdates(actor.team.id),
      countSites(actor),
      readNewestBackups(actor, now),
    ])
    const vitals = [...granted].map((id): VitalsLine => {
      const { disk, memory, updates } = measures.get(id) ?? unmeasured
      const doneAt = backups.get(id)?.doneAt ?? null
      return [id, disk, memory, updates, security.get(id) ?? 0, sites.get(id) ?? 0, doneAt === null ? null : minuteOf(doneAt)]
    })
    return { vitals }
  })
}

/** The answer to a poll, as JSON text of VersionedVitals. `seen`: the caller's version, or null. */
export const answerVitalsSince = (list: VitalsList, seen: string | null): Promise<string> => answerSince('vitals', list, seen)

/** The same for all who see a server, so it is read once for the team. */
function readMeasures(teamId: string, now: number): Promise<Map<string, Measured>> {
  return cachedUntilWrite(`measures ${teamId}`, async () => {
    const lines = await readMeasureLines(teamId, minuteOf(now) - dayMinutes)
    return new Map(lines.map(([id, disk, memory, updates]) => [id, { disk: toPercent(disk), memory: toPercent(memory), updates }]))
  })
}

const toPercent = (share: number | null): number | null => (share === null ? null : Math.round(share * 100))

async function readSecurityUpdates(teamId: string): Promise<Map<string, number>> {
  const waiting = (await readFindings(teamId)).filter(({ kind }) => kind === 'security_updates')
  return new Map(waiting.map(({ serverId, detail }) => [serverId, Number(detail)]))
}

async function countSites(actor: Actor): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { serverId, count } of await readSiteCounts(actor, 'sites', {})) {
    if (serverId !== null) counts.set(serverId, (counts.get(serverId) ?? 0) + count)
  }
  return counts
}
