'use client'

import { useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'
import { StartButton } from '../start-button'
import { stopFollowing } from './actions'

type StopFollowingProps = {
  jobId: string
  /** What the job is, in the middle of a sentence. */
  noun: 'install' | 'job'
  may: boolean
  /** What starting the same work again does. */
  again: string
}

/** For a service that does not end its output: until then the same work cannot start again, nor its connection be removed. */
export function StopFollowing({ jobId, noun, may, again }: StopFollowingProps) {
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
        title={`Stop following this ${noun}?`}
        description={`Gatehouse stops reading its output, for the whole team. The ${noun} itself is not stopped: it may still run on the server. ${again}`}
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
