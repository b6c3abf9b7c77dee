/** The action that restores a site from a copy at a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startRestoreOfCopy } from '@/lib/portal/jobs/restore-copy'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId`, `copyId`, `backup_first` and the typed domain as `confirmName`. */
export function restoreCopy({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> {
  const wanted = { siteId: field('siteId'), copyId: field('copyId'), backupFirst: field('backup_first') === '1' }
  return startRestoreOfCopy(actor, wanted, { requestId, confirmName: field('confirmName') })
}
