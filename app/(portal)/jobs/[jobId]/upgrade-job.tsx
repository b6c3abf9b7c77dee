'use client'

import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { JobProgress } from '../../../_shared/jobs/job-progress'
import { StopFollowing } from '../../../_shared/jobs/stop-following'
import { ButtonLink } from '../../../_ui/button'
import { Notice } from '../../../_ui/notice'
import { UpgradeButton } from '../../servers/[serverId]/upgrade-button'

type UpgradeJobProps = { job: JobView; lines: readonly JobEventView[]; serverId: string | null; may: boolean }

const notes = {
  failed: 'Sites that are up to date stay so, and the others work as before. Trying again continues with these.',
  open: 'The job may still be running, and nothing was started twice. Trying again follows it if it still runs; otherwise it continues.',
}

/** A server and its sites being brought up to date, live. Only services with extensions offer it. */
export function UpgradeJob({ job, lines, serverId, may }: UpgradeJobProps) {
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches
      notes={notes}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="Starting it again follows it again." />}
      tryAgain={serverId === null ? null : <UpgradeButton serverId={serverId} label="Try again" may={may} variant="primary" />}
      next={() => (
        <Notice
          tone="ok"
          title={`${job.targetName} is up to date.`}
          action={serverId === null ? null : <ButtonLink href={`/servers/${serverId}/sites`}>View sites</ButtonLink>}
        >
          The log shows what was replaced, and what was left because somebody edited it on the server.
        </Notice>
      )}
    />
  )
}
