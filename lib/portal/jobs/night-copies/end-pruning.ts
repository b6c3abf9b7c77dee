/** The outcome of deleting old copies: done, tried again later, or failed for this night. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { CopyPruning } from '@/prisma/generated/portal/client'
import { pausesMs, postponedMs } from './end-attempt'
import { notifyUnpruned, type PruningAttempt } from './notify-failed'

export async function endPruning(attempt: PruningAttempt & { requestId: string }, outcome: Outcome<unknown>, now: Date): Promise<void> {
  const { row, requestId } = attempt
  if (outcome.ok) return update(row, { state: 'done', problem: '', lastGood: requestId })
  const { code, sentence } = outcome.problem
  // Other copies are deleted from the repository: the attempt does not count.
  if (code === 'busy') return update(row, { state: 'waiting', attempts: row.attempts - 1, dueAt: new Date(now.getTime() + postponedMs) })
  const pauseMs = code === 'forbidden' || code === 'not_found' ? undefined : pausesMs[row.attempts - 1]
  if (pauseMs !== undefined) return update(row, { state: 'waiting', dueAt: new Date(now.getTime() + pauseMs), problem: sentence })
  await update(row, { state: 'failed', problem: sentence })
  await notifyUnpruned(attempt, sentence, now)
}

async function update({ repositoryId, place, night }: CopyPruning, data: Partial<CopyPruning>): Promise<void> {
  await db().copyPruning.updateMany({ where: { repositoryId, place, night, state: 'running' }, data })
}
