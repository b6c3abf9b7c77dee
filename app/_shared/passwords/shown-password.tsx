'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { CopyButton } from '../../_ui/copy-button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { AskLeave, LeaveQuestion } from '../leaving/ask-leave'

type ShownPasswordProps = {
  /** What was done with it. */
  title: string
  value: string
  onClose: () => void
  /** What remains to be done with it. */
  children?: ReactNode
}

const question = { title: 'Leave without the password?', description: 'It isn’t stored and won’t be shown again. You can set a new one.' }

/** A password that was just set, shown once. Only its button closes it without a question. */
export function ShownPassword({ title, value, onClose, children }: ShownPasswordProps) {
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={() => setLeaving(true)}
      title={title}
      description="Copy the password now: it isn’t stored and won’t be shown again."
    >
      <div className="mt-4 mb-6 flex flex-col gap-3">
        <p className="flex items-center justify-between gap-2 rounded-control bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 font-mono text-code break-all">{value}</code>
          <CopyButton value={value} what="the password" />
        </p>
        {children}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
      <AskLeave {...question} />
      {leaving ? <LeaveQuestion {...question} onStay={() => setLeaving(false)} onLeave={onClose} /> : null}
    </Dialog>
  )
}
