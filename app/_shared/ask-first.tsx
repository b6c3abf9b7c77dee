'use client'

import { type ReactNode, useState } from 'react'
import { Button, type ButtonVariant } from '../_ui/button'
import { Dialog } from '../_ui/dialog'
import { toast } from '../_ui/toast'

type AskFirstProps = {
  label: string
  may: boolean
  variant: ButtonVariant
  title: string
  description: ReactNode
  /** What the dialog asks, and its buttons; close ends it. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a dialog before anything changes on a server; whoever may not is told why. */
export function AskFirst({ label, may, variant, title, description, children }: AskFirstProps) {
  const [asking, setAsking] = useState(false)
  const refusal = may ? undefined : 'Your role does not allow changes to servers.'
  return (
    <>
      <Button
        variant={variant}
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        {label}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={title} description={description}>
        {children(() => setAsking(false))}
      </Dialog>
    </>
  )
}
