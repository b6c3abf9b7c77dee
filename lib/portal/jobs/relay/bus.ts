/** Notifies a job's viewers, within this process, of what was just committed. */
import 'server-only'
import { EventEmitter } from 'node:events'
import { processState } from '@/lib/portal/base/process-state'
import type { JobEventView, JobView } from '../view'

/** lines: committed together, in order, without gaps. */
export type JobNews = { lines: readonly JobEventView[]; view: JobView }

// Shared by all route bundles of the process: a viewer's handler and the relay may be in different ones.
const bus = processState('job bus', () => new EventEmitter().setMaxListeners(0))

/** Whether the job has viewers; without any, nothing has to be published. */
export function isWatched(jobId: string): boolean {
  return bus().listenerCount(jobId) > 0
}

export function publish(jobId: string, news: JobNews): void {
  bus().emit(jobId, news)
}

/** Listens until the returned function is called (repeated calls are harmless). */
export function subscribe(jobId: string, listener: (news: JobNews) => void): () => void {
  bus().on(jobId, listener)
  return () => bus().off(jobId, listener)
}
