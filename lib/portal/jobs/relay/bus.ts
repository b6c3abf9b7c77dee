/** Notifies a job's viewers in this process of newly committed lines and states. */
import 'server-only'
import { EventEmitter } from 'node:events'
import { processState } from '@/lib/portal/base/process-state'
import type { JobEventView, JobView } from '../view'

/** lines: committed together, in order, without gaps. unread: there may be more, to be read from the rows. */
export type JobNews = { lines: readonly JobEventView[]; view: JobView; unread?: boolean }

// Shared by all route bundles of the process, because a viewer's handler and the relay may be in different ones.
const bus = processState('job bus', () => new EventEmitter().setMaxListeners(0))

/** Whether the job has viewers; without any, nothing needs to be published. */
export function isWatched(jobId: string): boolean {
  return bus().listenerCount(jobId) > 0
}

/** The ids of all jobs with viewers. */
export const listWatched = (): string[] => bus().eventNames().map(String)

export function publish(jobId: string, news: JobNews): void {
  bus().emit(jobId, news)
}

/** Listens until the returned function is called, which may be repeated. */
export function subscribe(jobId: string, listener: (news: JobNews) => void): () => void {
  bus().on(jobId, listener)
  return () => bus().off(jobId, listener)
}
