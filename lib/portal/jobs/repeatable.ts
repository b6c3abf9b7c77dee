/** Which jobs can be started again as they were. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Job } from '@/prisma/generated/portal/client'
import { findJobKind } from './kinds'

/** The operation of a job that did not succeed, if it can be started again; null otherwise. */
export function findRepeatable({
  operation,
  state,
  siteId,
  endedAt,
}: Pick<Job, 'operation' | 'state' | 'siteId' | 'endedAt'>): Operation | null {
  const over = endedAt !== null && (state === 'failed' || state === 'cancelled')
  const kind = findJobKind(operation)
  return over && siteId !== null && kind?.repeatable ? kind.operation : null
}
