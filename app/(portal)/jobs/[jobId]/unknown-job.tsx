'use client'

import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { StopFollowing } from '@/app/_shared/jobs/stop-following'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { JobPartProps } from './job-part-props'

/** A job of an operation that only a newer version knows, as after going back to this one. Nothing is claimed about what it did. */
export function UnknownJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  const { siteId } = job
  const onward =
    siteId !== null ? (
      <ButtonLink href={`/sites/${siteId}`}>View site</ButtonLink>
    ) : serverId !== null ? (
      <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>
    ) : null
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches={extensions}
      notes={notes}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="Gatehouse cannot follow it again." />}
      tryAgain={() => onward}
      next={() => <Notice tone="ok" title={`The job on ${job.targetName} is done.`} action={onward} />}
    />
  )
}

const notes = {
  failed: 'A newer version of Gatehouse began this job. Check what it left before you start anything else.',
  open: 'A newer version of Gatehouse began this job, and this version cannot follow it. It may still be running on the server.',
}
