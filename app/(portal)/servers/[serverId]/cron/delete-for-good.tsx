'use client'

import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import type { CronJob } from './job'

type DeleteForGoodProps = { job: CronJob; onClose: () => void; onDelete: () => void }

/** Asked before a job goes that could not be put back from here. */
export function DeleteForGood({ job, onClose, onDelete }: DeleteForGoodProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this job for good?"
      description="Its command is given lines of input in the crontab itself, or is written in signs that are no text. It can be deleted from here, but not put back."
    >
      <pre className="mt-3 mb-6 overflow-x-auto rounded-control bg-sunken p-2.5 font-mono text-code whitespace-pre-wrap break-all">
        {job.command}
      </pre>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger-solid" onClick={onDelete}>
          Delete for good
        </Button>
      </DialogActions>
    </Dialog>
  )
}
