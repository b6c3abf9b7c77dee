'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'

type AskedActionProps = {
  label: string
  title: string
  description: string
  /** The label of the button that leaves everything as it is. */
  keep: string
  may: boolean
  /** The button that does it. `close` closes the dialog. */
  confirm: (close: () => void) => ReactNode
}

/** A button beside a job that asks before it does something, or says why this user may not. */
export function AskedAction({ label, title, description, keep, may, confirm }: AskedActionProps) {
  const [asking, setAsking] = useState(false)
  const refusal = may ? undefined : 'Your role does not allow changes to servers.'
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setAsking(true) : toast(refusal))}
      >
        {label}
      </Button>
      <Dialog open={asking} onOpenChange={setAsking} title={title} description={description}>
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>{keep}</Button>
            {confirm(() => setAsking(false))}
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
