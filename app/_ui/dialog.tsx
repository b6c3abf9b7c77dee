'use client'

import { type ReactNode, useState } from 'react'
import { Button } from './button'
import type { DialogProps } from './dialog-frame'
import { lazyComponent } from './lazy'

const DialogFrame = lazyComponent(() => import('./dialog-frame').then((file) => file.DialogFrame))

/** Fetches the code of dialogs, for what is about to open one. */
export const prefetchDialogs = DialogFrame.prefetch

/** A modal dialog, whose code is fetched when one is first opened: no page waits for it. */
export function Dialog(props: DialogProps) {
  // Kept after that, because the frame returns the focus when it closes.
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen ? <DialogFrame {...props} /> : null
}

/** The buttons at the bottom of a dialog, visible however long it is. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="sticky -bottom-5 -mx-5 -mt-2.5 -mb-5 flex flex-wrap justify-end gap-2 rounded-b-sheet bg-surface px-5 pt-2.5 pb-5">
    {children}
  </div>
)

type FormButtonsProps = {
  label: string
  /** The label while it is being sent. */
  busy?: string
  danger?: boolean
  pending: boolean
  onCancel: () => void
}

/** The buttons of a form in a dialog: Cancel, and the one that sends it. */
export const FormButtons = ({ label, busy = 'Working…', danger = false, pending, onCancel }: FormButtonsProps) => (
  <DialogActions>
    <Button onClick={onCancel}>Cancel</Button>
    <Button type="submit" variant={danger ? 'danger-solid' : 'primary'} disabled={pending}>
      {pending ? busy : label}
    </Button>
  </DialogActions>
)
