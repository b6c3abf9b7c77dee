'use client'

import { useMemo, useState } from 'react'
import { servers } from '@/lib/contract/operations/servers'
import { sites } from '@/lib/contract/operations/sites'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { Dialog } from '../../_ui/dialog'
import { OfferedButton } from '../../_ui/early-button'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { formatDenied, type MayAt, splitByAccess } from '../batches/left-out'
import { LabelForm, type LabelNoun, useLabels } from './label-form'

type Labelled = { id: string; labels: readonly string[] }

type LabelActionsProps<Row extends Labelled> = {
  noun: LabelNoun
  /** The selected servers or sites. */
  rows: readonly Row[]
  /** Its name on pages. */
  nameOf: (row: Row) => string
  /** Labels that the team uses already. */
  known: readonly string[]
  mayAt: MayAt
}

/** The right to run this on a server or site includes changing its labels. */
const operations = { server: servers.update.id, site: sites.configure.id } as const

/** Adding and removing labels, on the servers or sites that the member may change; the dialog names the others. */
export function LabelActions<Row extends Labelled>({ noun, rows, nameOf, known, mayAt }: LabelActionsProps<Row>) {
  const [labelling, setLabelling] = useState(false)
  const { allowed, said } = useMemo(
    () => splitByAccess(noun, rows, { mayAt, operation: operations[noun], nameOf }),
    [noun, rows, mayAt, nameOf],
  )
  const ids = useMemo(() => allowed.map(({ id }) => id), [allowed])
  const refusal = allowed.length === 0 ? formatDenied(noun) : undefined
  return (
    <>
      <OfferedButton refusal={refusal} onClick={() => setLabelling(true)}>
        Add label
      </OfferedButton>
      {refusal === undefined ? <RemoveLabel noun={noun} rows={allowed} /> : null}
      <Dialog
        open={labelling}
        onOpenChange={setLabelling}
        title={`Label ${countOf(allowed.length, noun)}`}
        description={`${said} Labels help your team find ${noun}s. They are not sent to the service.`.trim()}
      >
        <LabelForm noun={noun} ids={ids} known={known} onDone={() => setLabelling(false)} />
      </Dialog>
    </>
  )
}

/** The labels that any of them has. */
function RemoveLabel({ noun, rows }: { noun: LabelNoun; rows: readonly Labelled[] }) {
  const { change } = useLabels(noun)
  const carried = useMemo(() => {
    const ids = new Map<string, string[]>()
    for (const { id, labels } of rows) for (const label of labels) ids.set(label, [...(ids.get(label) ?? []), id])
    return [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
  }, [rows])
  if (carried.length === 0) return null
  return (
    <Menu trigger={<Button>Remove label</Button>}>
      {carried.map(([label, ids]) => (
        <MenuItem
          key={label}
          onSelect={() => void change(ids, 'remove', label).then((refused) => refused !== null && toast.error(refused))}
        >
          <span className="max-w-60 truncate">{label}</span>
          <span className="ml-auto pl-4 text-small text-muted">{formatCount(ids.length)}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
