/** The last day of some servers, hour by hour. */
import 'server-only'
import { readReachLines } from '@/lib/portal/base/sql/samples'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { floorTo } from '@/lib/portal/subjects/samples/slots'

const hours = 24
const step = 60

/**
 * days: by server, a letter for each hour, oldest first: u if every check reached it, d if none did, p if some did, - if there was none.
 * from: the first hour, in minutes since 1970.
 */
export type Days = { from: number; days: ReadonlyMap<string, string> }

/** The caller has checked that the user may read the ids. */
export async function readDays(serverIds: readonly string[], now: number): Promise<Days> {
  const from = floorTo(minuteOf(now), step) - (hours - 1) * step
  const letters = new Map(serverIds.map((id) => [id, Array<string>(hours).fill('-')]))
  for (const [id, at, checks, reachable] of await readReachLines(serverIds, step, from)) {
    const hour = (at - from) / step
    const row = letters.get(id)
    if (row && hour < hours) row[hour] = reachable === checks ? 'u' : reachable === 0 ? 'd' : 'p'
  }
  return { from, days: new Map([...letters].map(([id, row]) => [id, row.join('')])) }
}
