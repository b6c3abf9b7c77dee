'use client'

import type { ReactNode } from 'react'
import { Card, Section } from '@/app/_ui/section'
import { Button } from '../../_ui/button'
import { pluralOf } from '../../_ui/count'
import { EmptyState } from '../../_ui/empty-state'
import { lazyComponent } from '../../_ui/lazy'
import type { TableRow } from '../../_ui/table/column'
import { Table, type TableProps } from '../../_ui/table/table'
import { toast } from '../../_ui/toast'
import { ReadFailure } from '../reads/read'
import { ReadError } from '../reads/read-error'
import type { ReadState } from '../reads/use-read'
import { type CsvColumn, downloadCsv } from './csv'
import type { Facet, RemoveSelected } from './kind'
import type { BaseQuery } from './query'
import { Toolbar } from './toolbar'
import type { CollectionState } from './use-collection'

// Needed only once something is selected; the list stays visible while it is fetched.
const BulkBar = lazyComponent(() => import('./bulk-bar').then((file) => file.BulkBar))
const DeleteTogether = lazyComponent(() => import('./delete-selected').then((file) => file.DeleteTogether))
const DeleteEach = lazyComponent(() => import('./delete-selected').then((file) => file.DeleteEach))
const DeleteByBatch = lazyComponent(() => import('./delete-selected').then((file) => file.DeleteByBatch))

type RowsProps<Row extends TableRow, Q extends BaseQuery> = Pick<TableProps<Row>, 'columns' | 'lines' | 'href' | 'menu' | 'foldBelow'> & {
  collection: CollectionState<Row, Q>
  /** Shown instead of everything else if there are no rows at all. */
  empty: ReactNode
  /** The facets to offer. Default: all of the kind. */
  facets?: readonly Facet<Row>[]
  /** False while the page has only the first rows. */
  complete?: boolean
  csv?: readonly CsvColumn<Row>[]
  /** Reads the values that the CSV file contains and the rows lack. */
  csvRows?: (rows: readonly Row[]) => Promise<readonly Row[]>
  /** Further buttons beside CSV, such as the choice of columns. */
  tools?: ReactNode
  /** Makes rows selectable: the actions for several at once. */
  bulk?: (selected: readonly Row[]) => ReactNode
  remove?: RemoveSelected<Row>
  /** Builds the table's rows from the matching ones, for example as groups. */
  arrange?: (shown: readonly Row[], query: Q) => readonly Row[]
  /** Which rows a row of the table stands for. Default: itself. */
  idsOf?: (row: Row) => readonly string[]
}

type FrameProps = {
  /** The read that provides the rows. Before its first success its problem is shown in their place. */
  read?: ReadState<unknown>
  /** A sentence saying what is then unknown. */
  nothingRead?: string
  /** With a title it is a section of the page. */
  title?: string
  aside?: ReactNode
  /** Shown between the title and the rows, and below the rows. */
  before?: ReactNode
  after?: ReactNode
}

/** A list of things of one kind: read, searched, filtered, sorted, selected and changed together. Independent of its subject. */
export function Collection<Row extends TableRow, Q extends BaseQuery>(props: FrameProps & RowsProps<Row, Q>) {
  const { read, nothingRead = '', title, aside, before, after, ...rows } = props
  const isRead = read === undefined || read.data !== null
  return (
    <>
      {read ? <ReadError read={read} nothingRead={nothingRead} /> : null}
      {isRead && title === undefined ? <Rows {...rows} /> : null}
      {isRead && title !== undefined ? (
        <Section title={title} aside={aside}>
          {before}
          <Rows {...rows} />
          {after}
        </Section>
      ) : null}
    </>
  )
}

function Rows<Row extends TableRow, Q extends BaseQuery>(props: RowsProps<Row, Q>) {
  const { collection, empty, complete = true, csv, csvRows, tools, bulk, remove, arrange, idsOf, facets, ...table } = props
  const { kind, query, change, clear, shown, figures, selection, hidden } = collection
  if (figures.all === 0) return empty
  const rows = arrange ? arrange(shown, query) : shown
  const selects = bulk !== undefined || remove !== undefined
  const { selectLabel, selectAllLabel } = kind
  return (
    <div className="flex flex-col gap-3">
      {kind.searchHint === undefined ? null : (
        <Toolbar
          collection={collection}
          facets={facets ?? kind.facets}
          onCsv={csv && (complete ? () => void exportCsv(kind.csvName ?? pluralOf(kind.noun), csv, csvRows?.(shown) ?? shown) : null)}
          selectsAll={remove !== undefined}
          tools={tools}
        />
      )}
      {shown.length === 0 ? (
        <NoMatch {...kind.noMatch} onClear={clear} />
      ) : (
        <Table
          {...table}
          label={kind.label}
          rows={rows}
          count={arrange ? rows.length : figures.shown}
          sort={{ ...query, onSort: (column, descending) => change({ ...query, column, descending }) }}
          selection={selects ? { ...selection, label: selectLabel, allLabel: selectAllLabel, idsOf } : undefined}
        />
      )}
      {selects && selection.rows.length > 0 ? (
        <BulkBar noun={kind.noun} count={selection.rows.length} hidden={hidden} onClear={selection.clear}>
          {bulk?.(selection.rows)}
          {remove ? <Delete noun={kind.noun} selected={selection.rows} remove={remove} onDeleted={selection.clear} /> : null}
        </BulkBar>
      ) : null}
    </div>
  )
}

async function exportCsv<Row>(name: string, csv: readonly CsvColumn<Row>[], rows: readonly Row[] | Promise<readonly Row[]>) {
  try {
    downloadCsv(name, csv, await rows)
  } catch (error) {
    toast.error(`The CSV file could not be created. ${error instanceof ReadFailure ? error.problem.sentence : ''}`.trim())
  }
}

type DeleteProps<Row> = { noun: string; selected: readonly Row[]; remove: RemoveSelected<Row>; onDeleted: () => void }

function Delete<Row extends TableRow>({ noun, selected, remove, onDeleted }: DeleteProps<Row>) {
  const { description, nameOf, may } = remove
  const dialog = { noun, may, onDeleted, names: selected.map(nameOf), description: description(selected) }
  if ('batch' in remove) return <DeleteByBatch {...dialog} batch={remove.batch(selected)} refetch={remove.refetch} />
  if ('each' in remove) return <DeleteEach {...dialog} changes={selected.map(remove.each)} refetch={remove.refetch} />
  const { action, target, onSettled } = remove
  return (
    <DeleteTogether
      {...dialog}
      action={action}
      onSettled={onSettled}
      target={{ ...target, ids: JSON.stringify(selected.map(({ id }) => id)) }}
    />
  )
}

type NoMatchProps = { title: string; description: string; onClear: () => void }

const NoMatch = ({ title, description, onClear }: NoMatchProps) => (
  <Card>
    <EmptyState title={title} actions={<Button onClick={onClear}>Clear the filter</Button>}>
      <p>{description}</p>
    </EmptyState>
  </Card>
)
