/** The action that backs up a site. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startBackup } from '@/lib/portal/jobs/back-up'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId`. */
export const backUpSite = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startBackup(actor, field('siteId'), { requestId })
