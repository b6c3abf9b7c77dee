'use client'

import { useMemo, useState } from 'react'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { Dialog } from '../../_ui/dialog'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { LabelForm } from './label-form'
import { downloadCsv } from './list-csv'
import { useLabels } from './use-labels'

type BulkBarProps = {
  /** What is selected, in the order of the list. */
  servers: readonly ListedServer[]
  /** How many of them the filter hides. */
  hidden: number
  known: readonly string[]
  mayChange: boolean
  onClear: () => void
}

/** What can be done with all that are selected. It floats, so that it is there wherever one has scrolled to. */
export function BulkBar({ servers, hidden, known, mayChange, onClear }: BulkBarProps) {
  const [labelling, setLabelling] = useState(false)
  const ids = useMemo(() => servers.map(({ id }) => id), [servers])
  const refusal = mayChange ? undefined : 'Your role does not allow changes to servers.'
  return (
    <section
      aria-label="Selected servers"
      className="sticky bottom-4 z-10 flex animate-rise flex-wrap items-center gap-2 rounded-sheet border border-line bg-surface px-4 py-2.5 shadow-float max-tablet:bottom-24"
    >
      <p role="status" className="mr-auto font-semibold">
        {countOf(servers.length, 'server')} selected
        {hidden > 0 ? <span className="font-normal text-muted"> ({formatCount(hidden)} hidden by the filter)</span> : null}
      </p>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setLabelling(true) : toast(refusal))}
      >
        Add label
      </Button>
      <RemoveLabel servers={servers} refusal={refusal} />
      <Menu trigger={<Button>Copy</Button>}>
        <MenuItem
          onSelect={() =>
            copyLines(
              servers.map(({ name }) => name),
              'names',
            )
          }
        >
          Copy names
        </MenuItem>
        <MenuItem
          onSelect={() =>
            copyLines(
              servers.map(({ address, hostname }) => address || hostname),
              'addresses',
            )
          }
        >
          Copy addresses
        </MenuItem>
      </Menu>
      <Button onClick={() => downloadCsv(servers)}>CSV</Button>
      <Button look="ghost" onClick={onClear}>
        Clear
      </Button>
      <Dialog
        open={labelling}
        onOpenChange={setLabelling}
        title={`Label ${countOf(servers.length, 'server')}`}
        says="A label is a word of your team’s own, to find servers by. Their service is told nothing of it."
      >
        <LabelForm ids={ids} known={known} onDone={() => setLabelling(false)} />
      </Dialog>
    </section>
  )
}

/** Offers the labels that any of them carries. */
function RemoveLabel({ servers, refusal }: { servers: readonly ListedServer[]; refusal: string | undefined }) {
  const { change } = useLabels()
  const carried = useMemo(() => {
    const ids = new Map<string, string[]>()
    for (const { id, labels } of servers) for (const label of labels) ids.set(label, [...(ids.get(label) ?? []), id])
    return [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
  }, [servers])
  if (carried.length === 0) return null
  if (refusal !== undefined) {
    return (
      <Button aria-disabled title={refusal} onClick={() => toast(refusal)}>
        Remove label
      </Button>
    )
  }
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

/** One a line. */
function copyLines(lines: readonly string[], what: string): void {
  const known = lines.filter((line) => line !== '')
  navigator.clipboard.writeText(known.join('\n')).then(
    () => toast(`Copied ${formatCount(known.length)} ${what}.`),
    () => toast.error('The browser did not let the portal copy. Use CSV instead.'),
  )
}
