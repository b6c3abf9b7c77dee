/** Samples by slots of time: how often a server was looked at in each, how often it was reachable, and its figures. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Measures, Sample } from './sample'
import { waitingFor } from './store'

/** from: minutes since 1970, a multiple of the slot's length. Figures are means, totals the greatest. */
export type Slot = Measures & { from: number; checks: number; reachable: number }

type Line = [
  from: number,
  checks: number,
  reachable: number,
  diskUsed: number | null,
  diskTotal: number | null,
  memUsed: number | null,
  memTotal: number | null,
]

/** The slots of `step` minutes from `since` on, oldest first; those without a sample are left out. */
export async function readSlots(serverId: string, step: number, since: number): Promise<Slot[]> {
  const start = floorTo(since, step)
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT json_group_array(json_array("from", "checks", "up", "diskUsed", "diskTotal", "memUsed", "memTotal")) AS "lines"
    FROM (
      SELECT "at" - "at" % ${step} AS "from", count(*) AS "checks", sum("reachable") AS "up", avg("diskUsed") AS "diskUsed",
        max("diskTotal") AS "diskTotal", avg("memUsed") AS "memUsed", max("memTotal") AS "memTotal"
      FROM "Sample" WHERE "serverId" = ${serverId} AND "at" >= ${start} GROUP BY "from" ORDER BY "from"
    )`
  const lines: Line[] = JSON.parse(row.lines)
  const slots = lines.map(
    ([from, checks, reachable, diskUsed, diskTotal, memUsed, memTotal]): Slot => ({
      ...{ from, checks, reachable, diskUsed, diskTotal, memUsed, memTotal },
    }),
  )
  return waitingFor(serverId)
    .filter(({ at }) => at >= start)
    .reduce((all, sample) => withSample(all, sample, step), slots)
}

export const floorTo = (minute: number, step: number): number => Math.floor(minute / step) * step

/** With a sample that is newer than all that is in there, as the ones that wait to be written are. */
export function withSample(slots: readonly Slot[], sample: Sample, step: number): Slot[] {
  const { diskUsed, diskTotal, memUsed, memTotal } = sample
  const from = floorTo(sample.at, step)
  const known = slots.find((slot) => slot.from === from)
  const figures = { diskUsed, diskTotal, memUsed, memTotal }
  if (!known) return [...slots, { from, checks: 1, reachable: Number(sample.reachable), ...figures }]
  const merged = {
    from,
    checks: known.checks + 1,
    reachable: known.reachable + Number(sample.reachable),
    diskUsed: diskUsed ?? known.diskUsed,
    diskTotal: diskTotal ?? known.diskTotal,
    memUsed: memUsed ?? known.memUsed,
    memTotal: memTotal ?? known.memTotal,
  }
  return slots.map((slot) => (slot === known ? merged : slot))
}
