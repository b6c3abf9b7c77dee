'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'

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
