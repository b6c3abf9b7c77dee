'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ChoiceCards } from '../../_ui/choice-cards'
import { StartButton } from '../forms/start-button'
import { operationRead, portalRead } from '../reads/read-address'
import { applyUpdates, upgradeServer, upgradeServerAtNight } from './actions'
import { AskedAction } from './asked-action'

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

type ApplyUpdatesProps = { serverId: string; may: boolean }

const choices = [
  { value: '1', title: 'Security updates', description: 'Only those that Debian marks as fixes of security.' },
  { value: '0', title: 'All updates', description: 'Everything that apt offers for the packages that are installed.' },
] as const

/** Asks which updates to install, and starts the job, which then fills the page. */
export function ApplyUpdates({ serverId, may }: ApplyUpdatesProps) {
  const router = useRouter()
  const [security, setSecurity] = useState<'1' | '0'>('1')
  return (
    <AskedAction
      label="Apply updates"
      may={may}
      title="Apply updates"
      description="The web server, PHP and the database may restart. Nothing is removed, and files that you edited in /etc stay."
      confirm={() => (
        <StartButton
          action={applyUpdates}
          target={{ serverId, security }}
          label="Apply updates"
          refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
          onDone={({ jobId }) => router.push(`/jobs/${jobId}`)}
        />
      )}
    >
      <ChoiceCards legend="Which" name="security" choices={choices} value={security} onChange={setSecurity} />
    </AskedAction>
  )
}
