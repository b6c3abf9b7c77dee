/** Usage and rates, computed from the counters of a server. */
import type { Answer } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'

/** The answer of servers.vitals, and the one item in it. */
export type VitalsAnswer = Answer<typeof servers.vitals>
export type Vitals = VitalsAnswer['item'][number]

/** at: ms since 1970 by the server's clock. cpu: 0–1. netIn, netOut: bytes a second. Null if unknown, as rates are at the first moment. */
export type Moment = { at: number; cpu: number | null; load: number | null; netIn: number | null; netOut: number | null }

const hourMs = 3_600_000

/** No rate is computed over a longer gap, as after the page was hidden. */
const gapMs = 60_000

type Counted = { at: number | null; cpuBusy: number | null; cpuAll: number | null; netIn: number | null; netOut: number | null }

const numberOf = (text: string): number | null => (/^\d{1,20}$/.test(text) ? Number(text) : null)

const countedOf = ({ at, cpu_busy, cpu_all, net_in, net_out }: Vitals): Counted => ({
  at: numberOf(at),
  cpuBusy: numberOf(cpu_busy),
  cpuAll: numberOf(cpu_all),
  netIn: numberOf(net_in),
  netOut: numberOf(net_out),
})

/** The increase of one counter per unit of another; null if unknown, or if a boot reset the counters. */
function rateOf(gain: readonly [number | null, number | null], over: readonly [number | null, number | null]): number | null {
  const [[was, is], [first, last]] = [gain, over]
  if (was === null || is === null || first === null || last === null || is < was || last <= first) return null
  return (is - was) / (last - first)
}

/** The moment of an answer, with the rates since the previous answer. */
export function momentOf(before: Vitals | null, now: Vitals): Moment {
  const [is, load] = [countedOf(now), now.load[0] ?? '']
  const at = is.at === null ? Date.now() : is.at / 1000
  const was = before && countedOf(before)
  const known = was?.at != null && is.at !== null && (is.at - was.at) / 1000 <= gapMs ? was : null
  const perSecond = (start: number | null | undefined, end: number | null) => {
    const rate = rateOf([start ?? null, end], [known?.at ?? null, is.at])
    return rate === null ? null : rate * 1_000_000
  }
  return {
    at,
    cpu: rateOf([known?.cpuBusy ?? null, is.cpuBusy], [known?.cpuAll ?? null, is.cpuAll]),
    load: /^\d+(\.\d+)?$/.test(load) ? Number(load) : null,
    netIn: perSecond(known?.netIn, is.netIn),
    netOut: perSecond(known?.netOut, is.netOut),
  }
}

/** The moments of the last hour and the next one; the same list if it is not newer. */
export function withMoment(moments: readonly Moment[], next: Moment): readonly Moment[] {
  const last = moments.at(-1)
  if (last && next.at <= last.at) return moments
  return [...moments.filter(({ at }) => at > next.at - hourMs), next]
}
