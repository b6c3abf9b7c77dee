/** Which newer job or batch has started the same work again. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { BatchTarget, Prisma } from '@/prisma/generated/portal/client'

/** batch: the work is one of its targets. */
export type Newer = { kind: 'job' | 'batch'; id: string }

export const alreadyRepeated = problem('changed_meanwhile', {
  sentence: 'This was already started again. Reload the page to see the newer one.',
})

/** By what a newer one says that it repeats: the id of a job, or of the request of a target that has no job. */
export const workIdOf = ({ jobId, requestId }: Pick<BatchTarget, 'jobId' | 'requestId'>): string => jobId ?? requestId

/** By the ids of jobs and of targets (workIdOf); without those that nobody started again. In a transaction, pass its client. */
export async function findNewer(workIds: readonly string[], tx: Prisma.TransactionClient = db()): Promise<ReadonlyMap<string, Newer>> {
  if (workIds.length === 0) return new Map()
  const repeatOf = { in: [...workIds] }
  const jobs = await tx.job.findMany({ where: { repeatOf }, select: { id: true, repeatOf: true } })
  const targets = await tx.batchTarget.findMany({ where: { repeatOf }, select: { batchId: true, repeatOf: true } })
  return new Map<string, Newer>([
    ...jobs.map(({ id, repeatOf: of }): [string, Newer] => [of ?? '', { kind: 'job', id }]),
    ...targets.map(({ batchId: id, repeatOf: of }): [string, Newer] => [of ?? '', { kind: 'batch', id }]),
  ])
}
