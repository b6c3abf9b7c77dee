/** Starts the backup of a site as a job. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { noteNamesBefore } from '@/lib/portal/subjects/backups/names-before'
import { runOperation } from '@/lib/portal/subjects/spine'
import { startJob } from './start'

export async function startBackup(
  actor: Actor,
  siteId: string,
  options: RunOptions & { requestId: string },
): Promise<Outcome<{ jobId: string }>> {
  const may = await decide(actor, backups.create, { siteId })
  if (!may.ok) return may
  // A service with extensions says when and why each backup was made.
  if (!may.data.connection.extensions) {
    const { batchId } = options
    const listed = await runOperation(actor, backups.list, { siteId }, {}, batchId === undefined ? {} : { batchId })
    if (listed.ok && !listed.cut && !listed.unreadable)
      await noteNamesBefore(
        options.requestId,
        listed.data.items.map(({ name }) => name),
      )
  }
  return startJob(actor, backups.create, { siteId }, {}, options)
}
