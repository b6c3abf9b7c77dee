'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '../forms/start-button'
import { portalRead } from '../reads/read-address'
import { upgradeServer } from './actions'

type UpgradeButtonProps = { serverId: string; may: boolean }

/** Starts to bring the server and its sites up to date, or finds it running; its job then fills the page. */
export function UpgradeButton({ serverId, may }: UpgradeButtonProps) {
  const router = useRouter()
  return (
    <StartButton
      action={upgradeServer}
      target={{ serverId }}
      label="Bring up to date"
      variant="outline"
      refusal={may ? undefined : 'Your role does not allow changes to servers.'}
      refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
      onDone={({ jobId }) => router.push(`/jobs/${jobId}`)}
    />
  )
}
