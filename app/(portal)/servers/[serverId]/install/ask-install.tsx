'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, startTransition } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { AskedAction } from '@/app/_shared/jobs/asked-action'
import { portalRead } from '@/app/_shared/reads/read-address'
import type { ButtonVariant } from '@/app/_ui/button'
import { installServer } from '../actions'

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

type InstallButtonProps = { serverId: string; label: string; may: boolean; variant?: ButtonVariant; onStarted?: () => void }

/** Starts the install once per click; the page then shows its job. */
export function InstallButton({ serverId, label, may, variant = 'primary', onStarted }: InstallButtonProps) {
  const router = useRouter()
  return (
    <StartButton
      action={installServer}
      target={{ serverId }}
      label={label}
      variant={variant}
      refusal={may ? undefined : 'Your role does not allow changes to servers.'}
      refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
      onDone={() => {
        onStarted?.()
        startTransition(() => router.refresh())
      }}
    />
  )
}
