'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '../forms/start-button'
import { operationRead, portalRead } from '../reads/read-address'
import { upgradeServer, upgradeServerAtNight } from './actions'

type UpgradeAtNightProps = { serverId: string; on: boolean; may: boolean }

/** Switches between bringing older sites up to date at night, and only when somebody starts it. */
export function UpgradeAtNight({ serverId, on, may }: UpgradeAtNightProps) {
  return (
    <StartButton
      action={upgradeServerAtNight}
      target={{ serverId, status: on ? '0' : '1' }}
      label={on ? 'Not at night' : 'Update at night'}
      variant="outline"
      refusal={may ? undefined : 'Your role does not allow changes to servers.'}
      message={() =>
        on ? 'Older sites stay as they are until somebody starts it.' : `Older sites are brought up to date at night, ${nightHours}.`
      }
      refetch={[operationRead('servers.summary', { serverId })]}
      onDone={() => {}}
    />
  )
}

/** As the bundled service does it. */
export const nightHours = 'between 4 and 6 o’clock of the server’s time zone'

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
