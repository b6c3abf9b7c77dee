'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { StartButton } from '../forms/start-button'
import { portalRead } from '../reads/read-address'
import { revertUpgrade } from './actions'

type RevertUpgradeProps = { serverId: string; name: string }

/** Takes the newest upgrade of a server back, after asking. */
export function RevertUpgrade({ serverId, name }: RevertUpgradeProps) {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <EarlyButton onClick={() => setAsking(true)}>Undo</EarlyButton>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={`Undo bringing ${name} up to date?`}
        description="Units and settings become what they were before, and PHP of each site restarts. What was changed since then stays, with its site."
      >
        <div className="mt-6">
          <DialogActions>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <StartButton
              action={revertUpgrade}
              target={{ serverId }}
              label="Undo"
              refetch={[portalRead('/api/jobs'), portalRead('/api/servers')]}
              onDone={({ jobId }) => router.push(`/jobs/${jobId}`)}
            />
          </DialogActions>
        </div>
      </Dialog>
    </>
  )
}
