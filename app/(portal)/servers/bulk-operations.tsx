'use client'

import { useState } from 'react'
import { servers } from '@/lib/contract/operations/servers'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { Button } from '../../_ui/button'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'

type Choice = {
  label: string
  operation: string
  title: string
  description?: string
  confirms?: true
  fields?: Readonly<Record<string, string>>
}

const restarts = 'The web server, PHP and the database may restart. Nothing is removed, and files that you edited in /etc stay.'

const choices: readonly Choice[] = [
  { label: 'Check now', operation: servers.summary.id, title: 'Check %' },
  {
    label: 'Install',
    operation: servers.install.id,
    title: 'Install %',
    description: 'Servers that are installed already get what they lack.',
  },
  { label: 'Bring up to date', operation: servers.upgrade.id, title: 'Bring % up to date' },
  {
    label: 'Apply security updates',
    operation: servers.applyUpdates.id,
    title: 'Install security updates on %',
    description: restarts,
    fields: { security: '1' },
  },
  {
    label: 'Apply all updates',
    operation: servers.applyUpdates.id,
    title: 'Install updates on %',
    description: restarts,
    fields: { security: '0' },
  },
  {
    label: 'Reboot',
    operation: servers.reboot.id,
    title: 'Reboot %',
    description: 'Each server is offline for a minute or two. The next one restarts without waiting for it.',
    confirms: true,
  },
  {
    label: 'Delete',
    operation: servers.delete.id,
    title: 'Delete %',
    description: 'They are removed from this list and keep running. The SSH key of Gatehouse is removed from each that is reachable.',
    confirms: true,
  },
]

/** What can be run on all selected servers, as a batch. */
export function BulkOperations({ ids, refusal }: { ids: readonly string[]; refusal: string | undefined }) {
  const [chosen, setChosen] = useState<Choice | null>(null)
  if (refusal !== undefined) {
    return (
      <Button aria-disabled title={refusal} onClick={() => toast(refusal)}>
        Run
      </Button>
    )
  }
  return (
    <>
      <Menu trigger={<Button>Run</Button>}>
        {choices.map((choice) => (
          <MenuItem key={choice.label} danger={choice.operation === servers.delete.id} onSelect={() => setChosen(choice)}>
            {choice.label}
          </MenuItem>
        ))}
      </Menu>
      {chosen ? (
        <BatchDialog
          key={chosen.label}
          open
          onOpenChange={(open) => (open ? null : setChosen(null))}
          operation={chosen.operation}
          title={chosen.title}
          noun="server"
          description={chosen.description ?? ''}
          confirms={chosen.confirms ?? false}
          fields={chosen.fields ?? {}}
          ids={ids}
        />
      ) : null}
    </>
  )
}
