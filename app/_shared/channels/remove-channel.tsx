'use client'

import { useState } from 'react'
import type { ChannelView } from '@/lib/portal/delivery/view'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { toast } from '../../_ui/toast'
import { ActionForm } from '../forms/action-form'
import { removeChannel } from './actions'
import { formatAddress } from './channel-words'

/** Asks first: nobody can show its address again. */
export function RemoveChannel({ channel, onDone }: { channel: ChannelView; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const { id, label } = channel
  const done = () => {
    setAsking(false)
    toast(`${label} was removed.`)
    onDone()
  }
  return (
    <>
      <EarlyButton variant="danger" onClick={() => setAsking(true)}>
        Remove
      </EarlyButton>
      {asking ? (
        <Dialog
          open
          onOpenChange={setAsking}
          title="Remove channel"
          description={
            <p className="wrap-anywhere">
              {label} sends nothing any more, not even what waits. Its address and the list of its messages are deleted:{' '}
              {formatAddress(channel)}.
            </p>
          }
        >
          <ActionForm action={removeChannel} onDone={done} className="mt-4 flex flex-col gap-4">
            {(pending) => (
              <>
                <input type="hidden" name="channelId" value={id} />
                <FormButtons label="Remove channel" busy="Removing…" danger pending={pending} onCancel={() => setAsking(false)} />
              </>
            )}
          </ActionForm>
        </Dialog>
      ) : null}
    </>
  )
}
