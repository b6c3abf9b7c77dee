'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { AskedAction } from '@/app/_shared/jobs/asked-action'
import { RetryJob, StopFollowing, TryAgain } from '@/app/_shared/jobs/job-buttons'
import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'

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
      tryAgain={(stopped) => (
        <TryAgain
          job={stopped}
          may={may}
          retry={attaches ? <RetryInstall jobId={stopped.id} /> : <AskSecondInstall jobId={stopped.id} may={may} />}
        />
      )}
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

/** The page then shows the new job. */
function RetryInstall({ jobId, onStarted }: { jobId: string; onStarted?: () => void }) {
  const router = useRouter()
  return (
    <RetryJob
      jobId={jobId}
      onStarted={() => {
        onStarted?.()
        startTransition(() => router.refresh())
      }}
    />
  )
}

const AskSecondInstall = ({ jobId, may }: { jobId: string; may: boolean }) => (
  <AskedAction
    label="Try again"
    may={may}
    variant="primary"
    title="Start a second install?"
    description="Gatehouse cannot see whether the first install is still running on this service. If it is, trying again starts a second one. Check the server first."
    confirm={(close) => <RetryInstall jobId={jobId} onStarted={close} />}
  />
)
