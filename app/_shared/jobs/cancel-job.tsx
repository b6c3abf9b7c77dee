'use client'

import { StartButton } from '../forms/start-button'
import { cancelJob } from './actions'
import { AskedAction } from './asked-action'

type CancelJobProps = { jobId: string; may: boolean }

/** Cancels work on a site, after asking. Only services with extensions offer it. */
export function CancelJob({ jobId, may }: CancelJobProps) {
  return (
    <AskedAction
      label="Cancel job"
      title="Cancel this job?"
      description="It ends before its next step, or at once while it only prepares something. What it has done until then is taken back. If it is past the point until which that is possible, it continues."
      keep="Let it run"
      may={may}
      confirm={(close) => (
        <StartButton
          action={cancelJob}
          target={{ jobId }}
          label="Cancel job"
          variant="warn-solid"
          message={() => 'The job is being cancelled.'}
          onDone={close}
        />
      )}
    />
  )
}
