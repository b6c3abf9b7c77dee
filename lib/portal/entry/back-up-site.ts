/** The backup of a site, as a job. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { noteNamesBefore } from '@/lib/portal/subjects/backups/names-before'
import { runOperation } from '@/lib/portal/subjects/spine'

/** Reads `siteId`. */
export async function backUpSite({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> {
  const siteId = field('siteId')
  const may = await decide(actor, backups.create, { siteId })
  if (!may.ok) return may
  // A service with extensions says when and why each backup was made.
  if (!may.data.connection.extensions) {
    const listed = await runOperation(actor, backups.list, { siteId })
    if (listed.ok && !listed.cut && !listed.unreadable)
      noteNamesBefore(
        requestId,
        listed.data.items.map(({ name }) => name),
      )
  }
  return startJob(actor, backups.create, { siteId }, {}, { requestId })
}
