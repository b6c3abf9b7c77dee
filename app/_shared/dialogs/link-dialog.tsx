'use client'

import type { ReactNode } from 'react'
import { Button } from '../../_ui/button'
import { CodeBlock } from '../../_ui/code-block'
import { Dialog, DialogActions } from '../../_ui/dialog'

type LinkDialogProps = {
  title: string
  /** Whom to give the link to, and how long it works. */
  description: ReactNode
  link: string
  onClose: () => void
}

/** Shows a one-time link, the only time it can be copied. */
export function LinkDialog({ title, description, link, onClose }: LinkDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <div className="mt-4 flex flex-col gap-4">
        <CodeBlock text={link} what="link" />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
