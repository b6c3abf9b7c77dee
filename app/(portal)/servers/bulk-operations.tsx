'use client'

import { useState } from 'react'
import { servers } from '@/lib/contract/operations/servers'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt } from '../../_shared/batches/left-out'
import { Button } from '../../_ui/button'
import { formatCount } from '../../_ui/count'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { offerChoices, type SelectedServer } from './bulk-choices'

/** What can be run on the selected servers, as a batch. */
export function BulkOperations({ selected, mayAt }: { selected: readonly SelectedServer[]; mayAt: MayAt }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const offered = offerChoices(selected, mayAt)
  if (offered.length === 0) {
    const refusal = formatDenied('server')
    return (
      <Button aria-disabled title={refusal} onClick={() => toast(refusal)}>
        Run
      </Button>
    )
  }
  const choice = offered.find(({ label }) => label === chosen)
  return (
    <>
      <Menu trigger={<Button>Run</Button>}>
        {offered.map(({ label, operation, left, ids }) => (
          <MenuItem key={label} danger={operation === servers.delete.id} onSelect={() => setChosen(label)}>
            {left === 0 ? label : `${label} (${formatCount(ids.length)} of ${formatCount(selected.length)})`}
          </MenuItem>
        ))}
      </Menu>
      {choice ? (
        <BatchDialog
          key={choice.label}
          open
          onOpenChange={(open) => (open ? null : setChosen(null))}
          operation={choice.operation}
          title={choice.title}
          noun="server"
          description={choice.description}
          confirms={choice.confirms}
          fields={choice.fields}
          ids={choice.ids}
        />
      ) : null}
    </>
  )
}
