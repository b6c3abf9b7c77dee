/** Ends a batch: what has not begun is skipped, and whoever started it learns of everything that is not done. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processLease } from '@/lib/portal/base/portals/lease'
import { notify } from '@/lib/portal/notifications/notify'
import type { Batch } from '@/prisma/generated/portal/client'
import { BatchLost } from './target'
import { titleOfBatch } from './title'

/** why: the reason for which Gatehouse began no more targets, or what is left to do after them. */
export async function endBatch({ id, teamId, operation, startedById }: Batch, why: Problem | null): Promise<void> {
  const now = new Date()
  const data = { endedAt: now, problemCode: why?.code ?? null, problemSentence: why?.sentence ?? null }
  await db().$transaction(async (tx) => {
    const { count } = await tx.batch.updateMany({ where: { id, endedAt: null, lease: processLease() }, data })
    if (count === 0) throw new BatchLost('Another process has taken this batch over.')
    await tx.batchTarget.updateMany({ where: { batchId: id, state: 'waiting' }, data: { state: 'skipped', endedAt: now } })
  })
  const targets = await db().batchTarget.findMany({
    where: { batchId: id },
    orderBy: { seq: 'asc' },
    select: { name: true, fields: true, state: true },
  })
  const count = (wanted: string): number => targets.filter(({ state }) => state === wanted).length
  const [all, done, failed] = [targets.length, count('done'), count('failed')]
  log.info({ batchId: id, operation, all, done, problem: why?.code ?? null }, 'batch ended')
  const { stoppedById } = await db().batch.findUniqueOrThrow({ where: { id }, select: { stoppedById: true } })
  if ((done === all && why === null) || startedById === null || stoppedById === startedById) return
  await notify({
    teamId,
    userIds: [startedById],
    kind: 'batch_incomplete',
    onceKey: `batch_incomplete ${id}`,
    subject: { kind: 'batch', id },
    detail: { name: titleOfBatch(operation, all, targets[0]), all, done, failed },
  })
}
