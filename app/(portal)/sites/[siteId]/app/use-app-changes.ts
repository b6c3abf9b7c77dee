'use client'

import { operationRead } from '@/app/_shared/reads/read-address'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import type { JobView } from '@/lib/portal/jobs/view'

export type AppJobs = { install: JobView | null; pull: JobView | null; push: JobView | null }

/** Get the focus once their work is over. */
export const controlIds = { install: 'install-app', pull: 'pull-site', push: 'push-site' } as const

export type AppChange = ReturnType<typeof useSiteChange>
export type AppChanges = ReturnType<typeof useAppChanges>

/** What can be done on the page, one at a time: the server does the work on one site in turn anyway. rendered: the jobs that the server found. */
export function useAppChanges(siteId: string, rendered: AppJobs) {
  const shows = [
    operationRead('apps.get', { siteId }),
    operationRead('apps.staging', { siteId }),
    operationRead('database.tables', { siteId }),
  ]
  const install = useSiteChange('apps.install', siteId, rendered.install, controlIds.install, shows)
  const pull = useSiteChange('apps.pull', siteId, rendered.pull, controlIds.pull, shows)
  const push = useSiteChange('apps.push', siteId, rendered.push, controlIds.push, shows)
  return { install, pull, push, busy: [install, pull, push].some(({ busy }) => busy) }
}

/** Follows a job that has just been started to its end. */
export const followChange = ({ during, follow }: AppChange, started: StartedChange, message: string): void =>
  void during(() => follow(started, message))
