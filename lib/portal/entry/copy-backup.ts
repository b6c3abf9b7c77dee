/** The action that copies the newest backup of a site to a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startCopy } from '@/lib/portal/jobs/make-copy'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId` and `targetId`. */
export const copyBackup = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startCopy(actor, { siteId: field('siteId'), targetId: field('targetId') }, { requestId })
