'use client'

import { JobProgress } from '../../../_shared/jobs/job-progress'
import { ButtonLink } from '../../../_ui/button'
import type { JobPartProps } from './job-part-props'

/** Any install of a server. Trying again is offered on the server's install page, which shows its newest install. */
export function InstallJob({ job, lines, serverId, extensions, may }: JobPartProps) {
  const onward = serverId === null || !may ? null : <ButtonLink href={`/servers/${serverId}/install`}>View install</ButtonLink>
  return <JobProgress job={job} lines={lines} attaches={extensions} tryAgain={onward} next={() => null} />
}
