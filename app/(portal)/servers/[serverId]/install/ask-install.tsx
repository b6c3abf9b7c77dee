'use client'

import { type ReactNode, useState } from 'react'
import { Button, type ButtonVariant } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import { toast } from '../../../../_ui/toast'
import { InstallButton } from './install-button'

type AskInstallProps = {
  serverId: string
  label: string
  may: boolean
  variant?: ButtonVariant
  title: string
  description: ReactNode
}

/** Confirms an install that changes a server in a way Gatehouse cannot foresee. */
export function AskInstall({ serverId, label, may, variant = 'primary', title, description }: AskInstallProps) {
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
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <InstallButton serverId={serverId} label={label} may={may} onStarted={() => setAsking(false)} />
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
