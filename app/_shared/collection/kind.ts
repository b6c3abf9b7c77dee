/** What a collection needs to know about its subject. */
import type { ReactNode } from 'react'
import type { TableRow } from '../../_ui/table/column'
import type { Action, AnyActionResult } from '../forms/call-action'
import type { AnyRead } from '../reads/read-address'
import type { Change } from '../undo/undoable'
import type { BaseQuery, QueryKind } from './query'

export type Facet<Row> = {
  /** As in the query. */
  id: string
  label: string
  valuesOf: (row: Row) => readonly string[]
  format: (value: string) => string
}

/** The text to sort a row by; '' for a value that is not known. */
export type SortText<Row> = (row: Row) => string

export type Flag<Row> = {
  id: string
  label: string
  /** Rows that remain while it is on. Absent: it filters nothing. */
  holds?: (row: Row) => boolean
}

export type CollectionKind<Row extends TableRow, Q extends BaseQuery> = {
  /** Singular: "server". pluralOf makes the plural. */
  noun: string
  /** The beginning of the name of its CSV file, if not the rows themselves are what it is about. Default: the noun. */
  csvName?: string
  /** The table's name. */
  label: string
  query: QueryKind<Q>
  nameOf: (row: Row) => string
  selectLabel: (row: Row) => string
  selectAllLabel: string
  /** The texts to search. */
  searched: (row: Row) => readonly string[]
  /** The text to sort by, per column. */
  sortTexts: Readonly<Record<string, SortText<Row>>>
  facets: readonly Facet<Row>[]
  flags: readonly Flag<Row>[]
  /** Placeholder of the search field; absent for a collection too small to be searched. */
  searchHint?: string
  noMatch: { title: string; description: string }
}

/** A server action that deletes several things after their count was typed. */
export type CountedAction = Action<AnyActionResult>

type Removal<Row> = {
  may: boolean
  /** What is lost, and what stays. */
  description: (selected: readonly Row[]) => ReactNode
  /** How the dialog names a row. */
  nameOf: (row: Row) => string
}

/** One action deletes them all. */
type RemoveTogether<Row> = Removal<Row> & {
  action: CountedAction
  /** Further fields of the request: what the rows belong to. */
  target: Readonly<Record<string, string>>
  onSettled: () => void
}

/** Each row is deleted by the action for a single one; one Undo restores all that can be restored. */
export type RemoveEach<Row> = Removal<Row> & {
  each: (row: Row) => Change
  /** The reads that show them. */
  refetch: readonly AnyRead[]
}

/** A batch deletes them, and one Undo restores them. */
export type RemoveByBatch<Row> = Removal<Row> & {
  /** The form that starts it. */
  batch: (selected: readonly Row[]) => Readonly<Record<string, string>>
  /** The reads that show them. */
  refetch: readonly AnyRead[]
}

export type RemoveSelected<Row> = RemoveTogether<Row> | RemoveEach<Row> | RemoveByBatch<Row>
