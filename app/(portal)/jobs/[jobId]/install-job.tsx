'use client'

import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { TryAgain } from '@/app/_shared/jobs/retry-job'
import { ButtonLink } from '@/app/_ui/button'
import type { JobPartProps } from './job-part-props'

/** Any install of a server. It is tried again on the server's install page, which shows its newest install. */
export function InstallJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      tryAgain={(stopped) => (
        <TryAgain
          job={stopped}
          may={may && serverId !== null}
          retry={<ButtonLink href={`/servers/${serverId}/install`}>View install</ButtonLink>}
        />
      )}
      next={() => null}
    />
  )
}
