'use client'

import { useState } from 'react'
import type { ListViews, SavedView } from '@/lib/portal/identity/list-views'
import type { TableRow } from '../../_ui/table/column'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { callAction, formatReason } from '../forms/call-action'
import { deleteListView, saveListColumns, saveListView } from './actions'
import type { BaseQuery } from './query'
import type { CollectionState } from './use-collection'

export type ListViewsState = {
  /** The ids of the columns that the table shows, as far as there is something for them. */
  shown: readonly string[]
  /** Shows a column or hides it: in the address if that names columns, as of a view that was opened, else for the member everywhere. */
  choose: (id: string, on: boolean) => void
  /** Shows the usual columns again. */
  reset: () => void
  saved: readonly SavedView[]
  /** The name of the saved view that is shown; null for another address. */
  current: string | null
  open: (view: SavedView) => void
  /** Saves the present filter, order and columns. Resolves with a refusal to show, or null. */
  save: (name: string) => Promise<string | null>
  remove: (name: string) => void
}

type Options = {
  list: 'servers' | 'sites'
  first: ListViews
  /** The columns that are shown until the member chooses. */
  usual: readonly string[]
}

/** The columns and saved views of a list, as its member wants them. Changes show at once and are stored with the account. */
export function useListViews<Row extends TableRow, Q extends BaseQuery>(
  { kind, query, change, open }: CollectionState<Row, Q>,
  { list, first, usual }: Options,
): ListViewsState {
  const [own, setOwn] = useState(first.columns)
  const [saved, setSaved] = useState(first.saved)
  const shown = query.shown ?? own ?? usual
  const printed = kind.query.print({ ...query, shown }).slice(1)

  async function keepColumns(columns: readonly string[] | null): Promise<void> {
    setOwn(columns)
    const answer = await callAction(saveListColumns, { list, columns: columns?.join(' ') ?? '' }, { repeatable: true })
    if (answer.ok) return
    setOwn(own)
    toast.error(`Your columns were not saved. ${answer.problem.sentence}`)
  }

  async function save(name: string, given: string): Promise<string | null> {
    const answer = await callAction(saveListView, { list, name, query: given }, { repeatable: true })
    if (!answer.ok) return answer.problem.fields?.name ?? formatReason(answer.problem)
    setSaved((known) => withView(known, answer.data))
    return null
  }

  async function remove(name: string): Promise<void> {
    const answer = await callAction(deleteListView, { list, name })
    if (!answer.ok) return toast.error(formatReason(answer.problem))
    setSaved((known) => known.filter((view) => view.name !== name))
    offerUndo(`Deleted the view “${name}”.`, () => {
      void save(name, answer.data.query).then((refused) => refused !== null && toast.error(refused))
    })
  }

  return {
    shown,
    choose: (id, on) => {
      const next = on ? [...shown, id] : shown.filter((other) => other !== id)
      // The last column cannot be hidden: an empty choice is the usual one.
      if (next.length === 0) return
      if (query.shown) change({ ...query, shown: next })
      else void keepColumns(next)
    },
    reset: () => {
      if (query.shown) change({ ...query, shown: undefined })
      if (own) void keepColumns(null)
    },
    saved,
    current: saved.find((view) => view.query === printed)?.name ?? null,
    open: (view) => open(kind.query.parse(new URLSearchParams(view.query))),
    save: (name) => save(name, printed),
    remove: (name) => void remove(name),
  }
}

/** Sorted by name; replaces one of the same name. */
export const withView = (known: readonly SavedView[], view: SavedView): SavedView[] =>
  [...known.filter(({ name }) => name !== view.name), view].sort((one, other) => (one.name < other.name ? -1 : 1))
