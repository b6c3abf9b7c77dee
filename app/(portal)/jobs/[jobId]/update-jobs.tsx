'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { revertUpgrade } from '@/app/_shared/jobs/actions'
import { StopFollowing, TryAgain } from '@/app/_shared/jobs/job-buttons'
import { JobProgress } from '@/app/_shared/jobs/job-progress'
import { portalRead } from '@/app/_shared/reads/read-address'
import { Button, ButtonLink } from '@/app/_ui/button'
import { useDrawnNow } from '@/app/_ui/clock'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { EarlyButton } from '@/app/_ui/early-button'
import { Notice } from '@/app/_ui/notice'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'

export type JobPartProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** Null if it was deleted, or the user does not see it. */
  serverId: string | null
  /** The service announces extensions. */
  extensions: boolean
  /** May change servers and sites. */
  may: boolean
}

const updatesNotes = {
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
      notes={updatesNotes}
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

/** A server and its sites being brought up to date, live. Only services with extensions offer it, and what takes it back. */
export function UpgradeJob({ job, lines, serverId, may }: JobPartProps) {
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches
      notes={notes}
      stop={<StopUpgrade jobId={job.id} may={may} />}
      tryAgain={(stopped) => <TryAgain job={stopped} may={may} />}
      next={(done) => <UpToDate job={done} serverId={serverId} may={may} />}
    />
  )
}

/** The same being taken back. */
export function RevertJob({ job, lines, serverId, may }: JobPartProps) {
  const onward = serverId === null ? null : <ViewServer serverId={serverId} />
  return (
    <JobProgress
      job={job}
      lines={lines}
      attaches
      notes={revertNotes}
      stop={<StopUpgrade jobId={job.id} may={may} />}
      tryAgain={() => onward}
      next={() => <Notice tone="ok" title={`${job.targetName} is as it was before.`} action={onward} />}
    />
  )
}

const StopUpgrade = ({ jobId, may }: { jobId: string; may: boolean }) => (
  <StopFollowing jobId={jobId} noun="job" may={may} again="Starting it again follows it again." />
)

const ViewServer = ({ serverId }: { serverId: string }) => <ButtonLink href={`/servers/${serverId}`}>View server</ButtonLink>

function UpToDate({ job, serverId, may }: Pick<JobPartProps, 'job' | 'serverId' | 'may'>) {
  const now = useDrawnNow(60_000)
  const isRecent = now - Date.parse(job.endedAt ?? job.heardAt) < undoMs
  return (
    <Notice
      tone="ok"
      title={`${job.targetName} is up to date.`}
      action={
        serverId === null ? null : (
          <span className="flex flex-wrap gap-2">
            {may && isRecent ? <RevertUpgrade serverId={serverId} name={job.targetName} /> : null}
            <ViewServer serverId={serverId} />
          </span>
        )
      }
    >
      The log shows what was replaced, and what was left because somebody edited it on the server.
    </Notice>
  )
}

type RevertUpgradeProps = { serverId: string; name: string }

/** Takes the newest upgrade of a server back, after asking. */
function RevertUpgrade({ serverId, name }: RevertUpgradeProps) {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <EarlyButton onClick={() => setAsking(true)}>Undo</EarlyButton>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Undo bringing ${name} up to date?`}
        description="Units and settings become what they were before, and PHP of each site restarts. What was changed since then stays, with its site."
      >
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <StartButton
              action={revertUpgrade}
              target={{ serverId }}
              label="Undo"
              refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
              onDone={({ jobId }) => router.push(`/jobs/${jobId}`)}
            />
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
