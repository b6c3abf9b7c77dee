/** What the list of servers shows beside each server: its newest figures, from what is stored already. */
import 'server-only'
import { contract } from '@/lib/contract'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { findGranted } from '@/lib/portal/access/decide'
import { findVisibleNames, serversListedFor } from '@/lib/portal/access/visible'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { readMeasureLines } from '@/lib/portal/base/sql/samples'
import type { Actor } from '@/lib/portal/identity/actor'
import { readNewestBackups } from '@/lib/portal/jobs/newest-backups'
import { readFindings } from '@/lib/portal/subjects/findings/findings'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { readSiteCounts } from '@/lib/portal/subjects/sites/counts'
import { readDays } from './days'

/**
 * One server, kept short because there may be thousands. disk, memory: percent; null if not measured within a day. updates: how many wait, those of
 * security among them; null if unknown. security: of security; 0 also if none are known of. sites: those that the reader sees. backupAt: minutes since 1970; null if no backup is known of.
 * load: of 15 minutes.
 */
export type VitalsLine = [
  serverId: string,
  disk: number | null,
  memory: number | null,
  updates: number | null,
  security: number,
  sites: number,
  backupAt: number | null,
  load: number | null,
]

/** `days`: by place in `vitals`, the last day of each server, as readDays has it, from the hour `from` (minutes since 1970). */
export type VitalsList = { vitals: VitalsLine[]; days: string[]; from: number }

type Measured = { disk: number | null; memory: number | null; updates: number | null; load: number | null }

const unmeasured: Measured = { disk: null, memory: null, updates: null, load: null }

const dayMinutes = 24 * 60

/** The most servers that are read by id at once: more than a window shows. */
export const maxVitals = 60

/** Of all servers whose summary the actor may read; calls no service. */
export async function readVitals(actor: Actor, now = Date.now()): Promise<VitalsLine[]> {
  return cachedForActor(actor, 'vitals', async () => {
    const servers = await db().server.findMany({ where: await serversListedFor(actor), select: { id: true }, orderBy: { id: 'asc' } })
    const granted = await findReadable(
      actor,
      servers.map(({ id }) => id),
    )
    const measures = cachedUntilWrite(`measures ${actor.team.id}`, () => readMeasures(actor, now))
    return describe(actor, granted, await measures, now)
  })
}

/** Of some servers, with their last day. Ids that are unknown, or whose summary the actor may not read, are left out. */
export async function readVitalsOf(actor: Actor, ids: readonly string[], now = Date.now()): Promise<VitalsList> {
  const wanted = [...new Set(ids)].filter(isOpaqueId).slice(0, maxVitals)
  const granted = await findReadable(actor, [...(await findVisibleNames(actor, 'server', wanted)).keys()])
  const [measures, { from, days }] = await Promise.all([readMeasures(actor, now, granted), readDays(granted, now)])
  const vitals = await describe(actor, granted, measures, now)
  return { vitals, days: granted.map((id) => days.get(id) ?? ''), from }
}

const findReadable = async (actor: Actor, ids: string[]): Promise<string[]> => [
  ...(await findGranted(actor, contract.servers.summary, 'server', ids)),
]

async function describe(actor: Actor, ids: readonly string[], measures: Map<string, Measured>, now: number): Promise<VitalsLine[]> {
  const [security, sites, backups] = await Promise.all([
    readSecurityUpdates(actor.team.id),
    countSites(actor),
    readNewestBackups(actor, now),
  ])
  return ids.map((id): VitalsLine => {
    const { disk, memory, updates, load } = measures.get(id) ?? unmeasured
    const doneAt = backups.get(id)?.doneAt ?? null
    return [id, disk, memory, updates, security.get(id) ?? 0, sites.get(id) ?? 0, doneAt === null ? null : minuteOf(doneAt), load]
  })
}

/** Without ids: of all servers of the team. */
async function readMeasures({ team }: Actor, now: number, ids?: readonly string[]): Promise<Map<string, Measured>> {
  const lines = await readMeasureLines(team.id, minuteOf(now) - dayMinutes, ids)
  return new Map(
    lines.map(([id, disk, memory, updates, load]) => [id, { disk: toPercent(disk), memory: toPercent(memory), updates, load }]),
  )
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
