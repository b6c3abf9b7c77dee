'use client'

import { type ReactNode, useState } from 'react'
import { Button, type ButtonVariant } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { toast } from '../../_ui/toast'

type AskedActionProps = {
  label: string
  /** The accessible name, where several buttons have the same label. */
  name?: string
  title: string
  description: ReactNode
  /** The label of the button that leaves everything as it is. */
  keep?: string
  variant?: ButtonVariant
  /** What is asked, above the buttons. */
  children?: ReactNode
  may: boolean
  /** The button that does it. `close` closes the dialog. */
  confirm: (close: () => void) => ReactNode
}

/** A button that asks before it does something on a server, or says why this user may not. */
export function AskedAction({
  label,
  name,
  title,
  description,
  keep = 'Cancel',
  may,
  variant = 'outline',
  children,
  confirm,
}: AskedActionProps) {
  const [asking, setAsking] = useState(false)
  const refusal = may ? undefined : 'Your role does not allow changes to servers.'
  return (
    <>
      <EarlyButton
        variant={variant}
        aria-label={name}
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        {label}
      </EarlyButton>
      <Dialog open={asking} onOpenChange={setAsking} title={title} description={description}>
        <div className="mt-4 flex flex-col gap-4">
          {children}
          <DialogActions>
            <Button onClick={() => setAsking(false)}>{keep}</Button>
            {confirm(() => setAsking(false))}
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
