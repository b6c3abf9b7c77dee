'use client'

import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { TryAgain } from '@/app/_shared/jobs/retry-job'
import { StopFollowing } from '@/app/_shared/jobs/stop-following'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { JobPartProps } from './job-part-props'

const notes = {
  failed: 'What was updated stays so. Trying again continues.',
  open: 'The job may still be running, and nothing was started twice. Trying again follows it if it still runs; otherwise it continues.',
}

/** Updates of packages being installed, live. Only services with extensions offer it. */
export function UpdatesJob({ job, lines, serverId, may }: JobPartProps) {
  const last = lines.at(-1)?.message ?? ''
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches
      notes={notes}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="Starting it again follows it again." />}
      tryAgain={(stopped) => <TryAgain job={stopped} may={may} />}
      next={() => (
        <Notice
          tone="ok"
          title={`The updates of ${job.targetName} are installed.`}
          action={serverId === null ? null : <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>}
        >
          {last || 'The log shows what was updated. If the server has to be rebooted, its page offers that.'}
        </Notice>
      )}
    />
  )
}
