'use client'

import * as Parts from 'radix-ui/dialog'
import { type ReactNode, useEffect, useRef } from 'react'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** The name of the field to focus first; without one, the first focusable element. */
  firstField?: string
  children: ReactNode
}

/** A modal dialog. Focus is kept inside and restored afterwards; Esc closes. */
export function DialogFrame({ open, onOpenChange, title, description, firstField, children }: DialogProps) {
  // What had the focus before. Radix restores it only to a trigger, and most dialogs are opened without one.
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    addEventListener('keydown', keepFromDialog, true)
    return () => removeEventListener('keydown', keepFromDialog, true)
  }, [])
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        {/* At the same level as dialogs, so that a dialog over another one darkens it too. */}
        <Parts.Overlay className="fixed inset-0 z-50 animate-appear bg-terminal/50" />
        <Parts.Content
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement
            focusField(event, firstField)
          }}
          // Closes the list of a field first.
          onEscapeKeyDown={(event) => {
            if (event.target instanceof Element && event.target.matches('[role=combobox][aria-expanded=true]')) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // The page may have chosen another place already, for example when the opener is gone.
            if (document.activeElement === document.body && opener.current instanceof HTMLElement) opener.current.focus()
          }}
          className="fixed top-[12vh] left-1/2 z-50 max-h-[80vh] w-[min(480px,calc(100vw-32px))] -translate-x-1/2 animate-appear overflow-y-auto rounded-sheet border border-line bg-surface p-5 shadow-float"
        >
          <Parts.Title className="text-section font-strong">{title}</Parts.Title>
          <Parts.Description asChild>
            <div className="mt-1.5 text-muted">{description}</div>
          </Parts.Description>
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}

/** Lets the browser close the open list of a select on Esc. Radix would prevent that, and close the dialog. */
function keepFromDialog(event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target instanceof HTMLOptionElement) event.stopImmediatePropagation()
}

function focusField(event: Event, name: string | undefined): void {
  const dialog = event.currentTarget
  const field = name !== undefined && dialog instanceof HTMLElement ? dialog.querySelector<HTMLElement>(`[name="${name}"]`) : null
  if (!field) return
  event.preventDefault()
  field.focus()
}
