'use client'

import type { ReactNode } from 'react'
import { AskFirst } from '../../../../_shared/ask-first'
import { Button, type ButtonVariant } from '../../../../_ui/button'
import { DialogActions } from '../../../../_ui/dialog'
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
  return (
    <AskFirst label={label} may={may} variant={variant} title={title} description={description}>
      {(close) => (
        <div className="mt-6">
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <InstallButton serverId={serverId} label={label} may={may} onStarted={close} />
          </DialogActions>
        </div>
      )}
    </AskFirst>
  )
}
