'use client'

import type { ReactNode } from 'react'
import { AskedAction } from '@/app/_shared/jobs/asked-action'
import type { ButtonVariant } from '@/app/_ui/button'
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
    <AskedAction
      label={label}
      may={may}
      variant={variant}
      title={title}
      description={description}
      confirm={(close) => <InstallButton serverId={serverId} label={label} may={may} onStarted={close} />}
    />
  )
}
