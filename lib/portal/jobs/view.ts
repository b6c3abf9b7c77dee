/** Jobs and their lines as a browser may see them. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import type { Actor } from '../identity/actor'

export type JobState = 'running' | 'done' | 'failed' | 'interrupted' | 'unknown'

export type JobView = {
  id: string
  /** Operation id, e.g. servers.install, and its sentence for people. */
  operation: string
  says: string
  serverId: string | null
  targetName: string
  /** Name of the person, or null when their account is gone. */
  startedBy: string | null
  state: JobState
  step: string
  /** 0–100 */
  progress: number
  problem: Problem | null
  /** ISO times. heardAt: when the service last said anything. */
  startedAt: string
  endedAt: string | null
  heardAt: string
  eventCount: number
}

export type JobEventView = { seq: number; at: string; step: string; progress: number | null; status: string; message: string }

/** The team's jobs, newest first, at most 200. */
export async function listJobs(_actor: Actor): Promise<JobView[]> {
  return []
}

export async function findJob(_actor: Actor, _id: string): Promise<JobView | null> {
  return null
}

/** Lines after `afterSeq`, in order, at most `limit`. */
export async function readJobEvents(_actor: Actor, _id: string, _afterSeq: number, _limit: number): Promise<JobEventView[]> {
  return []
}
