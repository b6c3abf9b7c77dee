'use client'

import { useEffect, useState } from 'react'
import { useOperation } from '@/app/_shared/reads/use-read'
import { countOf } from '@/app/_ui/count'
import { Figure, Meter } from '@/app/_ui/meter'
import { Card } from '@/app/_ui/section'
import { bytesOf, formatSize } from '@/app/_ui/size'
import type { Answer } from '@/lib/contract/operation'
import type { servers } from '@/lib/contract/operations/servers'
import type { Outcome } from '@/lib/contract/problem'
import { drawLine } from './line-path'
import { type Summary, usageOf } from './summary'

// Usage and rates, computed from the counters of a server.

/** The answer of servers.vitals, and the one item in it. */
export type VitalsAnswer = Answer<typeof servers.vitals>
export type Vitals = VitalsAnswer['item'][number]

/** at: ms since 1970 by the server's clock. cpu: 0–1. netIn, netOut: bytes a second. Null if unknown, as rates are at the first moment. */
type Moment = { at: number; cpu: number | null; load: number | null; netIn: number | null; netOut: number | null }

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

type Kept = { newest: Vitals | null; moments: readonly Moment[] }

/** By server, so that a page that is opened again within the hour continues its lines. */
const kept = new Map<string, Kept>()

const nothing: Kept = { newest: null, moments: [] }

/** The current usage, read every `everyMs` while the page is visible, and the moments of the last hour at which it was read. */
function useMoments(
  serverId: string,
  { first, everyMs }: { first: Outcome<VitalsAnswer>; everyMs: number },
): { newest: Vitals | null; moments: readonly Moment[] } {
  const { data } = useOperation('servers.vitals', { serverId }, { first, everyMs })
  const newest = data?.item[0] ?? null
  const [moments, setMoments] = useState<readonly Moment[]>([])
  useEffect(() => {
    if (newest === null) return
    const before = kept.get(serverId) ?? nothing
    const now = { newest, moments: withMoment(before.moments, momentOf(before.newest, newest)) }
    if (now.moments !== before.moments) kept.set(serverId, now)
    setMoments(now.moments)
  }, [serverId, newest])
  return { newest, moments }
}

/** Disk, memory and updates, if the service doesn’t offer servers.vitals. */
export const Meters = ({ item }: { item: Summary }) => (
  <Card className="flex divide-line max-tablet:flex-col max-tablet:divide-y tablet:divide-x">
    <Meter label="Disk" {...usageOf(item.disk_space, item.disk_free, item.disk_total)} />
    <Meter label="Memory" {...usageOf(null, item.mem_free, item.mem_total)} />
    <Updates {...item} />
  </Card>
)

/** Not a share of anything, so without a bar. */
function Updates({ updates, security_updates: security }: Summary) {
  return (
    <div className="flex min-w-0 flex-1 flex-col px-4 py-3.5">
      <Figure label="Updates" figure={updates || 'Unknown'} of={describeUpdates(bytesOf(updates), bytesOf(security))} />
    </div>
  )
}

function describeUpdates(updates: number | null, security: number | null): string {
  if (updates === null) return ''
  if (updates === 0 || security === null) return 'waiting'
  if (security === 0) return 'waiting, none are security fixes'
  return `waiting, ${security} ${security === 1 ? 'is a security fix' : 'are security fixes'}`
}

/** isAway: the last read failed, so the server is read less often. */
type VitalsBoardProps = { serverId: string; item: Summary; first: Outcome<VitalsAnswer>; isAway: boolean }

/** The current usage of the server, with lines of what was read while the page was open, for the last hour at most. */
export function VitalsBoard({ serverId, item, first, isAway }: VitalsBoardProps) {
  const { newest, moments } = useMoments(serverId, { first, everyMs: isAway ? 30_000 : 5000 })
  const now = moments.at(-1)
  const cores = Number(newest?.cores || item.cores) || 1
  const [, five = '', fifteen = ''] = newest?.load ?? []
  return (
    <Card className="overflow-hidden">
      <div className="grid grid-cols-2 gap-px bg-line tablet:grid-cols-3 *:bg-surface">
        <Line
          label="CPU"
          figure={now?.cpu == null ? measuring : `${Math.round(now.cpu * 100)} %`}
          of={`of ${countOf(cores, 'core')}`}
          moments={moments}
          value={({ cpu }) => cpu}
          top={1}
        />
        <Line
          label="Load"
          figure={newest?.load[0] || '–'}
          of={five && fifteen ? `${five} over 5 min, ${fifteen} over 15` : ''}
          moments={moments}
          value={({ load }) => load}
          top={cores}
        />
        <Line
          label="Network"
          figure={now?.netOut == null ? measuring : `${formatRate(now.netOut)}`}
          of={now?.netIn == null ? '' : `out, ${formatRate(now.netIn)} in`}
          moments={moments}
          value={({ netIn, netOut }) => (netIn === null || netOut === null ? null : netIn + netOut)}
          top={0}
        />
        <Meter label="Memory" {...usageOf(null, newest?.mem_free || item.mem_free, newest?.mem_total || item.mem_total)} />
        <Meter label="Disk" {...usageOf(newest?.disk_space || item.disk_space, item.disk_free, newest?.disk_total || item.disk_total)} />
        <Updates {...item} />
      </div>
    </Card>
  )
}

// What is used per second takes two readings.
const measuring = '…'

const formatRate = (bytes: number): string => `${formatSize(String(Math.round(bytes)))}/s`

type LineProps = {
  label: string
  figure: string
  of: string
  moments: readonly Moment[]
  value: (moment: Moment) => number | null
  /** The value at the top edge; a higher value raises it. */
  top: number
}

const [width, height] = [240, 28]

/** A figure with the line of its last hour. The line is hidden from screen readers, which read the figure. */
function Line({ label, figure, of, moments, value, top }: LineProps) {
  const spots = moments.map((moment) => ({ at: moment.at, value: value(moment) }))
  const to = moments.at(-1)?.at ?? 0
  // The line covers at least five minutes, so that the first moments are not stretched over the whole width.
  const from = Math.min(to - 300_000, moments[0]?.at ?? to)
  const highest = Math.max(top, ...spots.map((spot) => spot.value ?? 0)) || 1
  const { line, area } = drawLine(spots, { from, to, top: highest, width, height, bridge: 20_000 })
  return (
    <div className="flex min-w-0 flex-col px-4 pt-3.5 pb-2">
      <Figure label={label} figure={figure} of={of} />
      <svg aria-hidden viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="mt-auto h-7 w-full border-b border-line">
        <path d={area} className="fill-accent-soft" />
        <path d={line} vectorEffect="non-scaling-stroke" strokeWidth="1.5" strokeLinecap="round" className="fill-none stroke-accent" />
      </svg>
    </div>
  )
}
