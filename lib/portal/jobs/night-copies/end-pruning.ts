/** The outcome of deleting old copies: done, tried again later, or failed for this night. */
import 'server-only'
import { createHash } from 'node:crypto'
import type { Outcome } from '@/lib/contract/problem'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { readersOfCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import type { BackupRepository, CopyPruning } from '@/prisma/generated/portal/client'
import { pausesMs, postponedMs } from './end-attempt'

/** label: of the target. */
type Attempt = {
  row: CopyPruning
  requestId: string
  server: Pick<BackupRepository, 'serverId' | 'serverName'>
  label: string
  teamId: string
}

export async function endPruning(attempt: Attempt, outcome: Outcome<unknown>, now: Date): Promise<void> {
  const { row, requestId } = attempt
  if (outcome.ok) return update(row, { state: 'done', problem: '', lastGood: requestId })
  const { code, sentence } = outcome.problem
  // Other copies are deleted from the repository: the attempt does not count.
  if (code === 'busy') return update(row, { state: 'waiting', attempts: row.attempts - 1, dueAt: new Date(now.getTime() + postponedMs) })
  const pauseMs = code === 'forbidden' || code === 'not_found' ? undefined : pausesMs[row.attempts - 1]
  if (pauseMs !== undefined) return update(row, { state: 'waiting', dueAt: new Date(now.getTime() + pauseMs), problem: sentence })
  await update(row, { state: 'failed', problem: sentence })
  await notifyFailed(attempt, sentence, now)
}

async function update({ repositoryId, place, night }: CopyPruning, data: Partial<CopyPruning>): Promise<void> {
  await db().copyPruning.updateMany({ where: { repositoryId, place, night, state: 'running' }, data })
}

/** Once for each cause, until copies are deleted from that repository again. */
async function notifyFailed({ row, server, label, teamId }: Attempt, why: string, now: Date): Promise<void> {
  const { repositoryId, lastGood } = row
  const cause = createHash('sha256').update(why).digest('base64url').slice(0, 16)
  await notify({
    teamId,
    userIds: await findServerMembers(teamId, server.serverId, readersOfCopies),
    kind: 'prune_failed',
    onceKey: `prune_failed ${repositoryId} ${lastGood || 'never'} ${cause}`,
    subject: { kind: 'server', id: server.serverId },
    detail: { name: server.serverName, label, why: why.slice(0, 300) },
    at: now,
  })
}
