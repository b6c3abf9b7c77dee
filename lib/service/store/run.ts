/** One run of slow work, and which operations are runs. */
import { isSlowServerOperation, isSlowSiteOperation, type SlowServerOperationId, type SlowSiteOperationId } from '@/lib/contract/index'
import type { Run as RunRow } from '@/prisma/generated/service/client'

/** Work on a whole server. */
export type ServerOperation = SlowServerOperationId

/** The operations that run as jobs of sites. */
export type SiteOperation = SlowSiteOperationId

type RunOf<Operation, SiteId> = Omit<RunRow, 'operation' | 'siteId'> & { operation: Operation; siteId: SiteId }

/** operation: null if this version does not know it: a newer version began the work, before somebody went back to this one. */
export type Run = RunOf<ServerOperation, null> | RunOf<SiteOperation, string> | RunOf<null, string | null>

export function toRun({ operation, siteId, ...row }: RunRow): Run {
  if (siteId === null) return { ...row, siteId, operation: isSlowServerOperation(operation) ? operation : null }
  return { ...row, siteId, operation: isSlowSiteOperation(operation) ? operation : null }
}

export const toRunOrNull = (row: RunRow | null): Run | null => row && toRun(row)
