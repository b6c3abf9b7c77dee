'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { useFormState } from '../../_ui/form-state'
import { replaceKey } from './actions'
import { ConfirmChange } from './confirm-change'
import { KeyField } from './key-field'

export function ReplaceKey({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { label, bundled } = connection
  return (
    <ConfirmChange
      connection={connection}
      onClose={onClose}
      title="Replace key"
      description={
        <>
          The new key of <strong className="font-semibold text-ink">{label}</strong> is tested first. If it works, it replaces the old one;
          if not, nothing changes.
        </>
      }
      action={replaceKey}
      message={({ servers }) => `${label} has a new key. It lists ${servers === 1 ? '1 server' : `${servers} servers`}.`}
    >
      <KeyField label="New API key" hint={bundled ? <OwnServiceHint /> : 'It is stored encrypted and never shown again.'} />
      <LossField />
    </ConfirmChange>
  )
}

const OwnServiceHint = () => (
  <>
    On the machine that runs Gatehouse, <code className="font-mono text-code">./gatehouse keys --service create</code> creates one.
  </>
)

/** Shown when the new key lists fewer servers than the old one. */
function LossField() {
  const refused = useFormState().errors.loseServers
  if (!refused) return null
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-small text-danger">{refused}</p>
      <label className="flex items-center gap-2">
        <input type="checkbox" name="loseServers" className="size-4 accent-accent" aria-invalid="true" />
        Replace key anyway
      </label>
    </div>
  )
}
