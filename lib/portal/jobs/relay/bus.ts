/** Tells a job's viewers, within this process, what was just committed. */
import 'server-only'
import { EventEmitter } from 'node:events'
import { processState } from '@/lib/portal/base/process-state'
import type { JobEventView, JobView } from '../view'

/** lines: committed together, in order, without gap. */
export type JobNews = { lines: readonly JobEventView[]; view: JobView }

// Shared by all route bundles of the process: a viewer's handler and the relay may live in different ones.
const bus = processState('job bus', () => new EventEmitter().setMaxListeners(0))

/** Whether anybody watches; nobody need be told otherwise. */
export function isWatched(jobId: string): boolean {
  return bus().listenerCount(jobId) > 0
}

export function publish(jobId: string, news: JobNews): void {
  bus().emit(jobId, news)
}

/** Listens until the answered function is called (more than once does no harm). */
export function subscribe(jobId: string, listener: (news: JobNews) => void): () => void {
  bus().on(jobId, listener)
  return () => bus().off(jobId, listener)
}
