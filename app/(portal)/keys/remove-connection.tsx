'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { removeConnection } from './actions'
import { ConfirmChange } from './confirm-change'

export function RemoveConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { label, servers } = connection
  return (
    <ConfirmChange
      {...{ connection, onClose }}
      title="Remove connection"
      description={
        <>
          <strong className="font-semibold text-ink">{label}</strong> and its sealed key are removed.{' '}
          {servers > 0 ? 'Servers that only it lists leave this portal. ' : ''}
          At the service nothing changes: revoke the key there if nobody else uses it.
        </>
      }
      action={removeConnection}
      message={() => `${label} was removed.`}
    />
  )
}
