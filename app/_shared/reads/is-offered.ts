import type { Outcome } from '@/lib/contract/problem'

/** False if the service, such as one of an earlier version, answered that it has no such operation. */
export const isOffered = (read: Outcome<unknown>): boolean =>
  read.ok || !(read.problem.code === 'not_found' || read.problem.code === 'not_built')
