'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ChoiceCards } from '../../_ui/choice-cards'
import { StartButton } from '../forms/start-button'
import { portalRead } from '../reads/read-address'
import { applyUpdates } from './actions'
import { AskedAction } from './asked-action'

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
