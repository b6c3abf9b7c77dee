'use client'

import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import type { CronJob } from './job'

type DeleteForGoodProps = { job: CronJob; onClose: () => void; onDelete: () => void }

/** Asks before deleting a job that could not be restored from here. */
export function DeleteForGood({ job, onClose, onDelete }: DeleteForGoodProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Delete this job for good?"
      description="Its command has input lines in the crontab, or contains unprintable characters. Gatehouse can delete it, but cannot restore it."
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
