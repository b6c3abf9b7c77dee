'use client'

import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { confirmedServerActions } from '@/app/_shared/forms/confirmed-actions'
import { read } from '@/app/_shared/reads/read'
import { operationRead } from '@/app/_shared/reads/read-address'
import { toast } from '@/app/_ui/toast'
import { runConfirmed } from './actions'
import { DeleteServer } from './delete-server'

type ServerDialogsProps = {
  serverId: string
  name: string
  /** 'delete', or the id of a confirmed action. */
  asked: string
  onClose: () => void
}

/** What the menu of a server asks before it acts. */
export function ServerDialogs({ serverId, name, asked, onClose }: ServerDialogsProps) {
  const summary = operationRead('servers.summary', { serverId })
  if (asked === 'delete') return <DeleteServer serverId={serverId} name={name} open onOpenChange={onClose} />
  const action = confirmedServerActions.find(({ id }) => id === asked)
  if (!action) return null
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title={action.title}
      description={<p>{action.description(name)}</p>}
      name={name}
      action={runConfirmed}
      target={{ serverId, operation: action.operation }}
      refetch={[summary]}
      onDone={() => {
        toast(action.done(name))
        // The header of every page shows the newest check; the other pages do not read the summary themselves.
        void read(summary).catch(() => undefined)
        onClose()
      }}
    />
  )
}
