/** Installs an app on a site: a job named after it. */
import 'server-only'
import { apps } from '@/lib/contract/operations/apps'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { startJob } from './start'

/** What may be part of the operation's path. */
const appName = /^(?!\.)(?!.*\.\.)[A-Za-z0-9._~:@-]{1,64}$/

export async function startAppInstall(
  actor: Actor,
  { siteId, app: given }: { siteId: string; app: string },
  options: RunOptions,
): Promise<Outcome<{ jobId: string }>> {
  const app = given.trim()
  if (!appName.test(app))
    return { ok: false, problem: problem('invalid', { fields: { app: 'Enter the name of an app, such as wordpress.' } }) }
  return startJob(actor, apps.install, { siteId }, { app }, { ...options, about: app })
}
