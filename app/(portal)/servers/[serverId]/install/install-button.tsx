'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { portalRead } from '@/app/_shared/reads/read-address'
import type { ButtonVariant } from '@/app/_ui/button'
import { installServer } from '../actions'

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
