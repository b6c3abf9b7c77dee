/** The samples of one server, for a user who may see it. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Outcome, problem } from '@/lib/contract/problem'
import { findGranted } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { floorTo, readSlots, type Slot } from '@/lib/portal/subjects/samples/slots'
import { findWay } from '@/lib/portal/subjects/sampling/plan'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { getSettings } from '@/lib/settings/settings'
import { readFullInDays } from './disk-outlook'

export type { Slot } from '@/lib/portal/subjects/samples/slots'

export const ranges = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

export const isRange = (value: unknown): value is Range => ranges.some((range) => range === value)

/** In minutes: the length of a range, and of the slots it is divided into. */
const lengths: Readonly<Record<Range, { whole: number; step: number }>> = {
  '1h': { whole: 60, step: 5 },
  '24h': { whole: 24 * 60, step: 15 },
  '7d': { whole: 7 * 24 * 60, step: 2 * 60 },
  '30d': { whole: 30 * 24 * 60, step: 6 * 60 },
}

export type History = {
  range: Range
  /** Minutes since 1970; `to` is the end of the current slot. step: minutes. */
  from: number
  to: number
  step: number
  slots: Slot[]
  /** Null if unknown. */
  fullInDays: number | null
  /** For a server without samples that will be checked: within how many minutes. Null otherwise. */
  firstInMinutes: number | null
}

/** A server that is unknown, gone or another team's is `not_found`. For whoever may read its summary. Calls no service. */
export async function readHistory(actor: Actor, serverId: string, range: Range, now = Date.now()): Promise<Outcome<History>> {
  const server = await findServer(actor, serverId)
  const granted = server !== null && (await findGranted(actor, contract.servers.summary, 'server', [server.id])).has(server.id)
  if (server && !granted) return { ok: false, problem: problem('forbidden') }
  return server ? { ok: true, data: await readHistoryOf(server.id, range, now) } : { ok: false, problem: problem('not_found') }
}

/** Whether the portal samples at all. */
export const isSampling = (): boolean => getSettings().sampleEveryMs !== null

/** The same for callers that have checked access. */
export async function readHistoryOf(serverId: string, range: Range, now = Date.now()): Promise<History> {
  const { whole, step } = lengths[range]
  const to = floorTo(minuteOf(now), step) + step
  const from = to - whole
  const [slots, fullInDays] = await Promise.all([readSlots(serverId, step, from), readFullInDays(serverId, minuteOf(now))])
  const firstInMinutes = slots.length > 0 ? null : await findFirstInMinutes(serverId)
  return { range, step, from, to, slots, fullInDays, firstInMinutes }
}

/** A round takes as long as the interval, so the wait is at most one round. */
async function findFirstInMinutes(serverId: string): Promise<number | null> {
  const { sampleEveryMs } = getSettings()
  if (sampleEveryMs === null || !(await findWay(serverId))) return null
  const known = await db().sample.findFirst({ where: { serverId }, select: { at: true } })
  return known ? null : Math.max(1, Math.round(sampleEveryMs / 60_000))
}
