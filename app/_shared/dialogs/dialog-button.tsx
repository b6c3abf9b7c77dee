'use client'

import type { LucideIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { prefetchDialogs } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'

/**
 * A dialog that is opened from the menu of a row, which gets the focus back. buttonIdOf: the id of the menu's button. onDone: something was
 * changed, so the page is read again.
 */
export function useRowDialog<Opened>(buttonIdOf: (opened: Opened) => string) {
  const router = useRouter()
  const [opened, open] = useState<Opened | null>(null)
  const onClose = () => {
    open(null)
    if (opened !== null) requestAnimationFrame(() => document.getElementById(buttonIdOf(opened))?.focus())
  }
  const onDone = () => {
    onClose()
    router.refresh()
  }
  return { opened, open, ways: { onClose, onDone } }
}

type DialogButtonProps = {
  icon: LucideIcon
  label: string
  /** The dialog, while it is open. onDone: something was changed, so the page is read again. */
  dialog: (ways: { onClose: () => void; onDone: () => void }) => ReactNode
}

/** A page's main button that opens a dialog. */
export function DialogButton({ icon: Icon, label, dialog }: DialogButtonProps) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const onClose = () => setOpen(false)
  const onDone = () => {
    onClose()
    router.refresh()
  }
  return (
    <>
      <EarlyButton variant="primary" onPointerEnter={prefetchDialogs} onFocus={prefetchDialogs} onClick={() => setOpen(true)}>
        <Icon aria-hidden size={16} strokeWidth={1.5} />
        {label}
      </EarlyButton>
      {open ? dialog({ onClose, onDone }) : null}
    </>
  )
}
