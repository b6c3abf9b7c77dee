'use client'

import type { LucideIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { prefetchDialogs } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'

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
