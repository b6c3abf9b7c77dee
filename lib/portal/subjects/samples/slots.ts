/** Samples by time slot: the number of checks, the number of successful ones, and the figures. */
import 'server-only'
import { readSlotLines } from '@/lib/portal/base/sql/samples'
import type { Measures, Sample } from './sample'
import { waitingFor } from './store'

/** from: minutes since 1970, a multiple of the slot's length. Figures are means, totals are maximums. */
export type Slot = Measures & { from: number; checks: number; reachable: number }

/** The slots of `step` minutes since `since`, oldest first. Slots without a sample are omitted. */
export async function readSlots(serverId: string, step: number, since: number): Promise<Slot[]> {
  const start = floorTo(since, step)
  const lines = await readSlotLines(serverId, step, start)
  const slots = lines.map(
    ([from, checks, reachable, diskUsed, diskTotal, memUsed, memTotal]): Slot => ({
      from,
      checks,
      reachable,
      diskUsed,
      diskTotal,
      memUsed,
      memTotal,
    }),
  )
  return waitingFor(serverId)
    .filter(({ at }) => at >= start)
    .reduce((all, sample) => withSample(all, sample, step), slots)
}

export const floorTo = (minute: number, step: number): number => Math.floor(minute / step) * step

/** Adds a sample that is newer than all slots, such as one that is not written yet. */
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
