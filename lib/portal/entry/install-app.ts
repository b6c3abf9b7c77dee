/** Installs an app on a site: a job named after it. */
import 'server-only'
import { apps } from '@/lib/contract/operations/apps'
import { type Outcome, problem } from '@/lib/contract/problem'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'

/** What may be part of the operation's path. */
const appName = /^(?!\.)(?!.*\.\.)[A-Za-z0-9._~:@-]{1,64}$/

/** Reads `siteId` and `app`. */
export async function installApp({ actor, requestId, field }: OwnInput): Promise<Outcome<{ jobId: string }>> {
  const app = field('app').trim()
  if (!appName.test(app))
    return { ok: false, problem: problem('invalid', { fields: { app: 'Enter the name of an app, such as wordpress.' } }) }
  return startJob(actor, apps.install, { siteId: field('siteId') }, { app }, { requestId, about: app })
}
