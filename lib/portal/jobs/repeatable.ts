/** Which jobs can be started again as they were. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Job } from '@/prisma/generated/portal/client'
import { findJobKind } from './kinds'

type Stopped = Pick<Job, 'operation' | 'state' | 'serverId' | 'siteId' | 'endedAt'>

/** What to start: the operation, on the site or server of the job. */
export type Repeatable = { operation: Operation; target: { siteId: string } | { serverId: string } }

/** Null if it cannot be started again: it succeeded or runs, is of another kind, or its server or site was deleted. */
export function findRepeatable(job: Stopped): Repeatable | null {
  const kind = findJobKind(job.operation)
  if (!kind?.repeatable || !isStopped(kind.operation, job)) return null
  const { operation } = kind
  const { siteId, serverId } = job
  if (operation.path.includes('{site_id}')) return siteId === null ? null : { operation, target: { siteId } }
  return serverId === null ? null : { operation, target: { serverId } }
}

/** Streamed work continues where it stopped, or is followed again if it still runs; so it need not have failed for certain. */
function isStopped({ stream }: Operation, { state, endedAt }: Stopped): boolean {
  if (stream) return state !== 'running' && state !== 'done'
  return endedAt !== null && (state === 'failed' || state === 'cancelled')
}
