'use client'

import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { JobProgress } from '../../../../_shared/jobs/job-progress'
import { ButtonLink } from '../../../../_ui/button'
import { Notice } from '../../../../_ui/notice'
import { useForeign } from '../foreign-service'
import { InstallButton } from './install-button'

type InstallProgressProps = {
  serverId: string
  job: JobView
  lines: readonly JobEventView[]
  may: boolean
}

/** The newest install of a server as it goes on. */
export function InstallProgress({ serverId, job, lines, may }: InstallProgressProps) {
  const foreign = useForeign()
  return (
    <JobProgress
      job={job}
      lines={lines}
      tryAgain={<InstallButton serverId={serverId} word="Try again" may={may} />}
      next={
        <Notice
          tone="ok"
          title={`${job.targetName} is installed.`}
          action={
            <ButtonLink href={`/servers/${serverId}`} look="primary">
              See the server
            </ButtonLink>
          }
        >
          {foreign ? null : 'Its web server answers, its firewall is on, and security updates come by themselves.'}
        </Notice>
      }
    />
  )
}
