/** The last day of some servers, hour by hour, as the list of servers shows it for the rows near the window. */
import 'server-only'
import { contract } from '@/lib/contract'
import { findGranted } from '@/lib/portal/access/decide'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { readReachLines } from '@/lib/portal/base/sql/samples'
import type { Actor } from '@/lib/portal/identity/actor'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { floorTo } from '@/lib/portal/subjects/samples/slots'

const hours = 24
const step = 60

/** More than a page asks for at once. */
export const maxTickServers = 60

/**
 * ticks: by server, a letter for each hour, oldest first: u if every check reached it, d if none did, p if some did, - if there was none.
 * from: the first hour, in minutes since 1970.
 */
export type TickList = { from: number; ticks: Readonly<Record<string, string>> }

/** Ids that are unknown, or whose summary the actor may not read, are left out. Calls no service. */
export async function readTicks(actor: Actor, ids: readonly string[], now = Date.now()): Promise<TickList> {
  const wanted = [...new Set(ids)].filter(isOpaqueId).slice(0, maxTickServers)
  const visible = [...(await findVisibleNames(actor, 'server', wanted)).keys()]
  const granted = [...(await findGranted(actor, contract.servers.summary, 'server', visible))]
  const from = floorTo(minuteOf(now), step) - (hours - 1) * step
  const letters = new Map(granted.map((id) => [id, Array<string>(hours).fill('-')]))
  for (const [id, at, checks, reachable] of await readReachLines(granted, step, from)) {
    const hour = (at - from) / step
    const row = letters.get(id)
    if (row && hour < hours) row[hour] = reachable === checks ? 'u' : reachable === 0 ? 'd' : 'p'
  }
  return { from, ticks: Object.fromEntries([...letters].map(([id, row]) => [id, row.join('')])) }
}
