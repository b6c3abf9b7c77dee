/** The actions that copy the newest backup of a site, or of a server itself, to a backup target. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startCopy } from '@/lib/portal/jobs/make-copy'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId` and `targetId`. */
export const copyBackup = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startCopy(actor, { subject: { kind: 'site', id: field('siteId') }, targetId: field('targetId') }, { requestId })

/** Reads `serverId` and `targetId`. */
export const copyBackupOfServer = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startCopy(actor, { subject: { kind: 'server', id: field('serverId') }, targetId: field('targetId') }, { requestId })
