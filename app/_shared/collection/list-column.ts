/** A column of a list, defined once: how it is named and shown, and how the list is sorted, filtered and exported by it. */
import type { ReactNode } from 'react'
import type { Column, TableRow } from '../../_ui/table/column'
import type { CsvColumn } from './csv'
import type { Facet, SortText } from './kind'

export type ListColumn<Row> = Omit<Column<Row>, 'id' | 'sortable'> & {
  /** Absent: the list cannot be sorted by it. */
  sortText?: SortText<Row>
  /** Whether the row has something to show in it. The list has the column as soon as any row does; absent: always. */
  has?: (row: Row) => boolean
  /** For a column that the list shows only if a member chooses it. */
  unusual?: true
  /** The filters that go with it. */
  facets?: readonly Facet<Row>[]
  /** Its columns of the CSV file. */
  csv?: readonly CsvColumn<Row>[]
}

/** By column id, in the order of the table. */
export type ListColumns<Row, Id extends string = string> = Readonly<Record<Id, ListColumn<Row>>>

const entriesOf = <Row>(columns: ListColumns<Row>) => Object.entries<ListColumn<Row>>(columns)

export const sortTextsOf = <Row>(columns: ListColumns<Row>): Readonly<Record<string, SortText<Row>>> =>
  Object.fromEntries(entriesOf(columns).flatMap(([id, { sortText }]) => (sortText ? [[id, sortText] as const] : [])))

export const facetsOf = <Row>(columns: ListColumns<Row>): Facet<Row>[] => entriesOf(columns).flatMap(([, { facets = [] }]) => facets)

/** All columns, whether or not the table shows them: what names the row first, its id last. */
export function csvOf<Row extends TableRow>(columns: ListColumns<Row>): CsvColumn<Row>[] {
  const all = entriesOf(columns).map(([, column]) => column)
  const ordered = [...all.filter(({ main }) => main), ...all.filter(({ main }) => !main)]
  return [...ordered.flatMap(({ csv = [] }) => csv), ['Id', ({ id }) => id]]
}

/** The ids of the columns that the list shows until a member chooses. */
export const usualColumnsOf = <Row>(columns: ListColumns<Row>): string[] =>
  entriesOf(columns).flatMap(([id, { unusual }]) => (unusual ? [] : [id]))

/** The ids of the columns for which at least one row has something to show. */
export const filledColumnsOf = <Row>(columns: ListColumns<Row>, rows: readonly Row[]): string[] =>
  entriesOf(columns).flatMap(([id, { has }]) => (has === undefined || rows.some(has) ? [id] : []))

/** What a member can choose from: all columns but the one that names the row, which is always there. */
export const choicesOf = <Row>(columns: ListColumns<Row>, offers: (id: string) => boolean): { id: string; label: string }[] =>
  entriesOf(columns).flatMap(([id, { label, main }]) => (main || !offers(id) ? [] : [{ id, label }]))

/** `folded` is shown below the main cell once all other columns are hidden: it goes with the one that is hidden last. */
export function withFolded<Row>(columns: readonly Column<Row>[], folded: (row: Row) => ReactNode): Column<Row>[] {
  const last = Math.max(...columns.map(({ leaves = 0 }) => leaves))
  return columns.map((column) => (column.leaves === last ? { ...column, folded } : column))
}

/** The columns of the table, of those that `shows` names. */
export const tableColumnsOf = <Row>(columns: ListColumns<Row>, shows: (id: string) => boolean): Column<Row>[] =>
  entriesOf(columns).flatMap(([id, column]) =>
    column.main || shows(id) ? [{ ...column, id, ...(column.sortText && { sortable: true as const }) }] : [],
  )
