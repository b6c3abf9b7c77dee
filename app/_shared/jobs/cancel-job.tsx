'use client'

import { useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'
import { StartButton } from '../start-button'
import { cancelJob } from './actions'

type CancelJobProps = { jobId: string; may: boolean }

/** Cancels work on a site, after asking. Only services with extensions offer it. */
export function CancelJob({ jobId, may }: CancelJobProps) {
  const [asking, setAsking] = useState(false)
  const refusal = may ? undefined : 'Your role does not allow changes to servers.'
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        Cancel job
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this job?"
        description="It ends before its next step, or at once while it only prepares something. What it has done until then is taken back. If it is past the point until which that is possible, it goes on."
      >
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Let it run</Button>
            <StartButton
              action={cancelJob}
              target={{ jobId }}
              label="Cancel job"
              variant="warn-solid"
              message={() => 'The job is being cancelled.'}
              onDone={() => setAsking(false)}
            />
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
