'use client'

import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { useForeign } from '../../../../_shared/foreign-service'
import { JobProgress } from '../../../../_shared/jobs/job-progress'
import { StopFollowing } from '../../../../_shared/jobs/stop-following'
import { ButtonLink } from '../../../../_ui/button'
import { Notice } from '../../../../_ui/notice'
import { AskInstall } from './ask-install'
import { InstallButton } from './install-button'

type InstallProgressProps = { serverId: string; job: JobView; lines: readonly JobEventView[]; attaches: boolean; may: boolean }

/** The newest install of a server, live. */
export function InstallProgress({ serverId, job, lines, attaches, may }: InstallProgressProps) {
  const foreign = useForeign()
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={attaches}
      stop={
        <StopFollowing
          jobId={job.id}
          noun="install"
          may={may}
          again={attaches ? 'Starting the install again follows it again.' : 'Gatehouse cannot follow it again.'}
        />
      }
      tryAgain={
        attaches ? (
          <InstallButton serverId={serverId} label="Try again" may={may} />
        ) : (
          <AskInstall
            serverId={serverId}
            label="Try again"
            may={may}
            title="Start a second install?"
            description="Gatehouse cannot see whether the first install is still running on this service. If it is, trying again starts a second one. Check the server first."
          />
        )
      }
      next={() => (
        <Notice
          tone="ok"
          title={`${job.targetName} is installed.`}
          action={
            <span className="flex flex-wrap gap-2">
              <ButtonLink href={`/servers/${serverId}`} variant="primary">
                View server
              </ButtonLink>
              {may ? <ButtonLink href={`/sites/new?server=${serverId}`}>Add site</ButtonLink> : null}
            </span>
          }
        >
          {foreign ? null : 'The log shows what was set up and what was kept.'}
        </Notice>
      )}
    />
  )
}
