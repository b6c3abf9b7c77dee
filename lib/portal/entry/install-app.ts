/** The action that installs an app on a site. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { startAppInstall } from '@/lib/portal/jobs/install-app'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** Reads `siteId` and `app`. */
export const installApp = ({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> =>
  startAppInstall(actor, { siteId: field('siteId'), app: field('app') }, { requestId })
