'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { removeConnection } from './actions'
import { ConfirmChange } from './confirm-change'

export function RemoveConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { label, servers } = connection
  return (
    <ConfirmChange
      connection={connection}
      onClose={onClose}
      title="Remove connection"
      description={
        <>
          <strong className="font-semibold text-ink">{label}</strong> and its API key are removed.{' '}
          {servers !== 0 ? 'Servers that only this connection lists disappear from Gatehouse. ' : ''}
          Nothing changes at the service: revoke the key there if nothing else uses it.
        </>
      }
      action={removeConnection}
      message={() => `${label} was removed.`}
    />
  )
}
