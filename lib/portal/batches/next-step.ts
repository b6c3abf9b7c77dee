/** Decides what the runner of a batch does next. */
import 'server-only'
import type { Batch, BatchTargetState } from '@/prisma/generated/portal/client'

/** place: what works on one target at a time: a server, or a service whose server is not known. */
export type KnownTarget = { seq: number; place: string; state: BatchTargetState }

export type NextStep = { kind: 'begin'; seq: number } | { kind: 'wait' } | { kind: 'end' }

const isBad = ({ state }: KnownTarget): boolean => state === 'failed' || state === 'cancelled' || state === 'unknown'

/** targets: all of the batch, in order. closed: a user stopped it, or whoever started it may no longer. */
export function nextStep({ mode, atOnce }: Pick<Batch, 'mode' | 'atOnce'>, targets: readonly KnownTarget[], closed: boolean): NextStep {
  const [first] = targets
  const running = targets.filter(({ state }) => state === 'running')
  const ends = closed || (mode === 'stopAtFailure' && targets.some(isBad)) || (mode === 'firstAlone' && first !== undefined && isBad(first))
  const room = mode === 'firstAlone' && first?.state !== 'done' ? 1 : atOnce
  const busy = new Set(running.map(({ place }) => place))
  const next = ends || running.length >= room ? undefined : targets.find(({ state, place }) => state === 'waiting' && !busy.has(place))
  if (next) return { kind: 'begin', seq: next.seq }
  return { kind: running.length > 0 ? 'wait' : 'end' }
}
