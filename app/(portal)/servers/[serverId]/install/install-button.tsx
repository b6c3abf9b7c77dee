'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { portalRead } from '../../../../_shared/read-address'
import { StartButton } from '../../../../_shared/start-button'
import type { ButtonLook } from '../../../../_ui/button'
import { installServer } from '../actions'

type InstallButtonProps = { serverId: string; word: string; may: boolean; look?: ButtonLook; onStarted?: () => void }

/** Starts the install once per click; the page then shows the job it became. */
export function InstallButton({ serverId, word, may, look = 'primary', onStarted }: InstallButtonProps) {
  const router = useRouter()
  return (
    <StartButton
      action={installServer}
      target={{ serverId }}
      word={word}
      look={look}
      refusal={may ? undefined : 'Your role does not allow changes to servers.'}
      refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
      onDone={() => {
        onStarted?.()
        startTransition(() => router.refresh())
      }}
    />
  )
}
