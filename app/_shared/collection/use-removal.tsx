'use client'

import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { formatCount } from '../../_ui/count'
import { MenuItem } from '../../_ui/menu'
import type { RowMenu, TableRow } from '../../_ui/table/column'
import { findRowControl, focusIfLost } from '../forms/keep-focus'
import type { AnyRead } from '../reads/read-address'
import { type Change, callUndoable } from '../undo/undoable'
import type { RemoveSelected } from './kind'

type RemovalOptions<Row> = {
  may: boolean
  nameOf: (row: Row) => string
  /** The change that removes a row; every one can be undone. */
  removal: (row: Row) => Change
  /** The form of a batch that removes several; each of its changes can be undone. Without it, the page removes one after another. */
  batch?: (rows: readonly Row[]) => Readonly<Record<string, string>>
  /** The reads that show the rows. */
  refetch: readonly AnyRead[]
  /** Further items of a row’s menu, above Remove. */
  items?: (row: Row) => ReactNode
  /** What Undo does not restore, as a sentence. */
  lost?: string
}

type Removal<Row> = {
  /** The id of the row that is being removed. */
  removing: string | null
  /** The props of the Collection: a button per row, and the action for several. None for users who may not. */
  controls: { menu?: RowMenu<Row>; remove?: RemoveSelected<Row> }
}

/** Removing rows that Undo can restore: one at a time, each shown as being removed until its work is over, or several as a batch. */
export function useRemoval<Row extends TableRow>({
  may,
  nameOf,
  removal,
  batch,
  refetch,
  items,
  lost = '',
}: RemovalOptions<Row>): Removal<Row> {
  const [removing, setRemoving] = useState<string | null>(null)
  if (!may) return { removing, controls: {} }

  function remove(row: Row): void {
    if (removing !== null) return
    const place = positionOf(row)
    const during = async (work: () => Promise<void>) => {
      setRemoving(row.id)
      await work().finally(() => setRemoving(null))
      focusIfLost(() => findRowControl(place))
    }
    const { action, fields } = removal(row)
    void callUndoable(action, fields, { message: `${nameOf(row)} was removed.${lost && ` ${lost}`}`, refetch, during })
  }

  const menu: RowMenu<Row> = {
    label: (row) => `Actions for ${nameOf(row)}`,
    buttonId: menuIdOf,
    items: (row) => (
      <>
        {items?.(row)}
        <MenuItem danger onSelect={() => remove(row)}>
          Remove
        </MenuItem>
      </>
    ),
    // Not disabled while its own row is removed, because that would lose the focus.
    quick: (row) => (
      <Button
        variant="ghost"
        icon
        aria-label={`Remove ${nameOf(row)}`}
        disabled={removing !== null && removing !== row.id}
        onClick={() => remove(row)}
      >
        <Trash2 aria-hidden size={16} strokeWidth={1.5} />
      </Button>
    ),
  }
  const description = (selected: readonly Row[]) => (
    <>
      <Restorable count={selected.length} lost={0} reason="" />
      {lost === '' ? null : <p>{lost}</p>}
      {batch ? <p>You can leave the page meanwhile.</p> : null}
    </>
  )
  const several = { may, refetch, nameOf, description }
  return { removing, controls: { menu, remove: batch ? { ...several, batch } : { ...several, each: removal } } }
}

/** The id of the button of a row’s menu. */
export const menuIdOf = ({ id }: TableRow): string => `actions-${id}`

/** Its place in the list as it is shown. */
const positionOf = (row: TableRow): number => Number(document.getElementById(menuIdOf(row))?.closest('tr')?.dataset.index ?? 0)

type RestorableProps = {
  /** How many will be deleted, and how many of them cannot be restored. */
  count: number
  lost: number
  /** Why those cannot be restored, as the second half of a sentence about several. */
  reason: string
}

/** Says before several things are deleted which of them Undo can restore. */
export function Restorable({ count, lost, reason }: RestorableProps) {
  if (lost === 0) return <p>You can restore {count === 1 ? 'it' : 'them'} right away, or later from Activity.</p>
  return (
    <p>
      <strong className="font-semibold text-danger">
        {lost === count ? (count === 1 ? 'It' : 'They') : `${formatCount(lost)} of them`} cannot be restored: {reason}.
      </strong>
      {lost < count ? ' You can restore the others right away, or later from Activity.' : null}
    </p>
  )
}
