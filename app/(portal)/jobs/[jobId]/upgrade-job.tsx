'use client'

import { servers } from '@/lib/contract/operations/servers'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { JobProgress } from '../../../_shared/jobs/job-progress'
import { RevertUpgrade } from '../../../_shared/jobs/revert-upgrade'
import { StopFollowing } from '../../../_shared/jobs/stop-following'
import { UpgradeButton } from '../../../_shared/jobs/upgrade-button'
import { ButtonLink } from '../../../_ui/button'
import { useDrawnNow } from '../../../_ui/clock'
import { Notice } from '../../../_ui/notice'

type UpgradeJobProps = { job: JobView; lines: readonly JobEventView[]; serverId: string | null; may: boolean }

const notes = {
  failed: 'Sites that are up to date stay so, and the others work as before. Trying again continues with these.',
  open: 'The job may still be running, and nothing was started twice. Trying again follows it if it still runs; otherwise it continues.',
}

const revertNotes = {
  failed: 'The sites that are named stay as they are.',
  open: 'The job may still be running, and nothing was started twice.',
}

/** How long a page offers Undo. The server keeps what it needs for longer. */
const undoMs = 86_400_000

/** A server and its sites being brought up to date, or that being taken back, live. Only services with extensions offer it. */
export function UpgradeJob({ job, lines, serverId, may }: UpgradeJobProps) {
  const reverts = job.operation === servers.revertUpgrade.id
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches
      notes={reverts ? revertNotes : notes}
      stop={<StopFollowing jobId={job.id} noun="job" may={may} again="Starting it again follows it again." />}
      tryAgain={
        serverId === null ? null : reverts ? (
          <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>
        ) : (
          <UpgradeButton serverId={serverId} label="Try again" may={may} variant="primary" />
        )
      }
      next={(done) => <Done job={done} serverId={serverId} mayUndo={may && !reverts} />}
    />
  )
}

function Done({ job, serverId, mayUndo }: { job: JobView; serverId: string | null; mayUndo: boolean }) {
  const now = useDrawnNow(60_000)
  const isRecent = now - Date.parse(job.endedAt ?? job.heardAt) < undoMs
  const reverts = job.operation === servers.revertUpgrade.id
  return (
    <Notice
      tone="ok"
      title={reverts ? `${job.targetName} is as it was before.` : `${job.targetName} is up to date.`}
      action={
        serverId === null ? null : (
          <span className="flex flex-wrap gap-2">
            {mayUndo && isRecent ? <RevertUpgrade serverId={serverId} name={job.targetName} /> : null}
            <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>
          </span>
        )
      }
    >
      {reverts ? null : 'The log shows what was replaced, and what was left because somebody edited it on the server.'}
    </Notice>
  )
}
