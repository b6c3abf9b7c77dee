'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { ConfirmDestroy } from '../../_shared/confirm-destroy'
import { StepUpField } from '../../_shared/step-up-field'
import { toast } from '../../_ui/toast'
import { removeConnection } from './actions'
import { useKeysChanged } from './use-keys-changed'

export function RemoveConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { id, label, servers } = connection
  const changed = useKeysChanged()
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Remove connection"
      says={
        <p>
          <strong className="font-semibold text-ink">{label}</strong> and its sealed key are removed.{' '}
          {servers > 0 ? 'Servers that only it lists leave this portal. ' : ''}
          At the service nothing changes: revoke the key there if nobody else uses it.
        </p>
      }
      name={label}
      action={removeConnection}
      target={{ connectionId: id }}
      onDone={() => {
        toast(`${label} was removed.`)
        onClose()
        changed()
      }}
    >
      <StepUpField />
    </ConfirmDestroy>
  )
}
