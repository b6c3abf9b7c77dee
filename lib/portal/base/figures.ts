/** What the portal counts about itself, in memory, since its process began. Labels are words of the program: never an id, a name or an address. */
import 'server-only'
import { processState } from './process-state'

/** refused: never sent, because of who asked or what was asked. */
export type OperationOutcome = 'done' | 'failed' | 'unknown' | 'refused'

/** Upper bounds of the histogram's buckets, seconds. */
export const upstreamBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const

export type Figures = {
  /** By `method status-class`, by `operation outcome`. */
  requests: Map<string, number>
  operations: Map<string, number>
  viewers: number
  /** Calls within each bound (not cumulative; the last bucket takes what is slower than all), their sum in seconds. */
  upstream: { buckets: number[]; sum: number }
}

export const figures = processState(
  'figures',
  (): Figures => ({
    requests: new Map(),
    operations: new Map(),
    viewers: 0,
    upstream: { buckets: new Array(upstreamBounds.length + 1).fill(0), sum: 0 },
  }),
)

const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** One answered request. Methods beyond the usual count as one: whoever calls may invent them. */
export function countRequest(method: string, status: number): void {
  add(figures().requests, `${['GET', 'POST', 'HEAD'].includes(method) ? method : 'other'} ${Math.floor(status / 100)}xx`)
}

export function countOperation(operationId: string, outcome: OperationOutcome): void {
  add(figures().operations, `${operationId} ${outcome}`)
}

/** One more browser follows a job. Gives the function that counts it out again. */
export function countViewer(): () => void {
  figures().viewers += 1
  return () => {
    figures().viewers -= 1
  }
}

/** How long a call upstream took until its answer was there, or a stream began. */
export function observeUpstream(seconds: number): void {
  const { upstream } = figures()
  const at = upstreamBounds.findIndex((bound) => seconds <= bound)
  const bucket = at < 0 ? upstreamBounds.length : at
  upstream.buckets[bucket] = (upstream.buckets[bucket] ?? 0) + 1
  upstream.sum += seconds
}
