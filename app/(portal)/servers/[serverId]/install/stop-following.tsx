'use client'

import { useState } from 'react'
import { StartButton } from '../../../../_shared/start-button'
import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import { toast } from '../../../../_ui/toast'
import { stopFollowing } from '../actions'

type StopFollowingProps = { jobId: string; may: boolean; attaches: boolean }

/** For a service that does not end its output: until then the server cannot be installed again, nor its connection removed. */
export function StopFollowing({ jobId, may, attaches }: StopFollowingProps) {
  const [asking, setAsking] = useState(false)
  const refusal = may ? undefined : 'Your role does not allow changes to servers.'
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        Stop following
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Stop following this install?"
        description={`Gatehouse stops reading its output, for the whole team. The install itself is not stopped: it may still run on the server. ${
          attaches ? 'Starting the install again follows it again.' : 'Gatehouse cannot follow it again.'
        }`}
      >
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <StartButton action={stopFollowing} target={{ jobId }} label="Stop following" onDone={() => setAsking(false)} />
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
