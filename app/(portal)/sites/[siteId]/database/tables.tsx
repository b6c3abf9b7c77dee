'use client'

import { useMemo } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import { CollectionSkeleton } from '@/app/_shared/collection/collection-skeleton'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { useOperation } from '@/app/_shared/reads/use-read'
import { formatCount } from '@/app/_ui/count'
import { EmptyState } from '@/app/_ui/empty-state'
import { Card } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { database } from '@/lib/contract/operations/database'

const query = defineQuery({ columns: ['name', 'size', 'rows'], defaultColumn: 'name', facets: [], flags: {} })

const sortable = (count: number | null): string => String(count ?? '').padStart(20, '0')

const tableCollection: CollectionKind<TableRow, typeof query.whole> = {
  noun: 'table',
  label: 'Tables',
  query,
  nameOf: ({ id }) => id,
  selectLabel: ({ id }) => `Select ${id}`,
  selectAllLabel: 'Select all tables',
  searched: ({ id }) => [id],
  sortTexts: { name: ({ id }) => id, size: ({ bytes }) => sortable(bytes), rows: ({ rows }) => sortable(rows) },
  facets: [],
  flags: [],
  searchHint: 'Filter by name',
  noMatch: { title: 'No matching tables', description: 'Searches the names. All words must match.' },
}

const size = ({ bytes }: TableRow): string => (bytes === null ? '' : formatSize(String(bytes)))
const about = ({ rows }: TableRow): string => (rows === null ? '' : `≈ ${formatCount(rows)}`)

const nameColumn: Column<TableRow> = {
  id: 'name',
  label: 'Name',
  minWidth: 180,
  grows: true,
  main: true,
  sortable: true,
  className: 'font-mono text-code',
  cell: ({ id }) => <span className="wrap-anywhere">{id}</span>,
}

const detailColumns: readonly Column<TableRow>[] = [
  nameColumn,
  {
    id: 'size',
    label: 'Size',
    minWidth: 100,
    leaves: 2,
    sortable: true,
    cell: size,
    // A phone shows both in one line.
    folded: (table) =>
      table.bytes === null ? null : <span className="font-sans text-small text-muted">{`${size(table)}, ${about(table)} rows`}</span>,
  },
  { id: 'rows', label: 'Rows', minWidth: 120, leaves: 1, sortable: true, className: 'text-muted', cell: about },
]

/** Names, and for services that report them also sizes and estimated rows. */
export function Tables({ siteId, name }: { siteId: string; name: string }) {
  const read = useOperation('database.tables', { siteId }, { everyMs: 60_000 })
  const foreign = useForeign()
  const rows = useMemo(() => (read.data ? tableRows(read.data) : []), [read.data])
  const collection = useCollection(tableCollection, rows)
  const total = totalBytes(rows)
  if (read.data === null && !read.problem) return <CollectionSkeleton title="Tables" waitsFor={`Listing the tables of ${name}.`} />
  return (
    <Collection
      collection={collection}
      read={read}
      columns={total === null ? [nameColumn] : detailColumns}
      nothingRead={`The tables of ${name} could not be listed.`}
      title="Tables"
      aside={total === null ? undefined : <p className="text-small text-muted">{formatSize(String(total))} in total</p>}
      empty={
        <Card>
          <EmptyState title="No tables yet">
            <p>{foreign ? 'The service lists no tables of this database.' : 'An app creates its tables when it is installed.'}</p>
          </EmptyState>
        </Card>
      }
    />
  )
}

/** The id is the table's name. null: not reported. */
type TableRow = { id: string; bytes: number | null; rows: number | null }

export function tableRows({ tables, details }: Answer<typeof database.tables>): TableRow[] {
  const known = new Map(details?.map((table) => [table.name, table]))
  // A name that a service sends twice is still one table.
  return [...new Set(tables)].map((id) => ({ id, bytes: known.get(id)?.bytes ?? null, rows: known.get(id)?.rows ?? null }))
}

/** Null if no size is known. */
export function totalBytes(rows: readonly TableRow[]): number | null {
  const known = rows.flatMap(({ bytes }) => bytes ?? [])
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0)
}
