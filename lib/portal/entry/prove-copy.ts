/** The action that proves a copy at a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startProof } from '@/lib/portal/jobs/prove-copy'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId` and `copyId`. */
export const proveCopy = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startProof(actor, { siteId: field('siteId'), copyId: field('copyId') }, { requestId })
