'use client'

import { useMemo, useState } from 'react'
import { AddDomains } from '@/app/_shared/add-many/add-many-form'
import { oneByOne } from '@/app/_shared/batches/follow-batch'
import { Collection } from '@/app/_shared/collection/collection'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useRemoval } from '@/app/_shared/collection/use-removal'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Domain, titleOfDomain } from '@/app/_shared/sites/site-cells'
import { EmptyState } from '@/app/_ui/empty-state'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { aliases } from '@/lib/contract/operations/aliases'
import { toReadableDomain } from '@/lib/text/idn'
import { deleteAlias } from '../actions'
import { compareRecords, type DnsRecord, ExpectedRecord, PointsChip, tellsRecords } from '../dns-records'

const toFields = (names: readonly string[]) => names.map((alias) => ({ alias }))

/** The names a site also answers for, and where the DNS points them. Adding and removing are jobs; those of several names are a batch. */
export function AliasesView({ id: siteId, name, first, may }: SubjectViewProps<Answer<typeof aliases.list>>) {
  const read = useOperation('aliases.list', { siteId }, { first, everyMs: 30_000 })
  const refetch = [operationRead('aliases.list', { siteId })]
  const { removing, controls } = useRemoval({
    may,
    refetch,
    nameOf: aliasCollection.nameOf,
    removal: ({ id }) => ({ action: deleteAlias, fields: { siteId, alias: id } }),
    batch: (selected) => oneByOne('aliases.delete', siteId, toFields(selected.map(({ id }) => id))),
  })
  const [item, foreign] = [read.data?.item[0], useForeign()]
  const expected = item?.expected?.A || item?.server.ip || ''
  const rows = useMemo(() => aliasRows(item?.aliases ?? [], { expected, foreign, removing }), [item, expected, foreign, removing])
  const [adding, setAdding] = useState(false)
  const collection = useCollection(aliasCollection, rows)
  return (
    <>
      {may && item ? (
        <AddDomains
          noun="alias"
          placeholder="www.example.org"
          refetch={refetch}
          onAdding={setAdding}
          batch={(names) => oneByOne('aliases.save', siteId, toFields(names))}
          known={[name, ...rows.map(({ id }) => id)]}
        />
      ) : null}
      <Collection
        collection={collection}
        read={read}
        columns={aliasColumns}
        {...controls}
        nothingRead={`The aliases of ${toReadableDomain(name)} could not be read.`}
        title="Aliases"
        before={<ExpectedRecord address={expected} noun="alias" />}
        empty={adding ? <p className="text-small text-muted">The first alias is being added.</p> : <NoAliases />}
      />
    </>
  )
}

const NoAliases = () => (
  <Card>
    <EmptyState title="No aliases yet">
      <p>An alias is another domain that shows this site, such as its name with www.</p>
    </EmptyState>
  </Card>
)

/** id: the alias. */
type AliasRow = { id: string; a: string; mx: string; points: DnsRecord['result']; removing: boolean }

type Listed = Answer<typeof aliases.list>['item'][number]['aliases']

/** expected: the address they should point to. foreign: as the service is. */
type Reading = { expected: string; foreign: boolean; removing: string | null }

/** A service may list a name twice. */
function aliasRows(listed: Listed, { expected, foreign, removing }: Reading): AliasRow[] {
  const rows = listed.map(({ domain: id, dns }): AliasRow => {
    const [a] = compareRecords(dns, { A: expected, MX: '' })
    const points = tellsRecords(dns, foreign) ? (a?.result ?? null) : null
    return { id, a: dns.A, mx: dns.MX, points, removing: removing === id }
  })
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

const query = defineQuery({ columns: ['alias', 'a', 'mx', 'points'], defaultColumn: 'alias', facets: [], flags: {} })

const aliasCollection: CollectionKind<AliasRow, typeof query.whole> = {
  noun: 'alias',
  label: 'Aliases',
  query,
  nameOf: ({ id }) => toReadableDomain(id),
  selectLabel: ({ id }) => `Select ${toReadableDomain(id)}`,
  selectAllLabel: 'Select all aliases',
  searched: ({ id, a, mx }) => [id, toReadableDomain(id), a, mx],
  sortTexts: { alias: ({ id }) => toReadableDomain(id), a: ({ a }) => a, mx: ({ mx }) => mx, points: ({ points }) => points ?? '' },
  facets: [],
  flags: [],
  searchHint: 'Filter by name or record',
  noMatch: { title: 'No matching aliases', description: 'All words must match.' },
}

const record = { grows: true, sortable: true, className: 'font-mono text-code text-muted' } as const

const aliasColumns: readonly Column<AliasRow>[] = [
  {
    id: 'alias',
    label: 'Alias',
    minWidth: 200,
    grows: true,
    main: true,
    sortable: true,
    cell: ({ id }) => <Domain domain={id} />,
    title: ({ id }) => titleOfDomain(id),
  },
  { ...record, id: 'a', label: 'A', minWidth: 148, leaves: 2, cell: ({ a }) => a, title: ({ a }) => a },
  { ...record, id: 'mx', label: 'MX', minWidth: 168, leaves: 1, cell: ({ mx }) => mx, title: ({ mx }) => mx },
  {
    id: 'points',
    label: 'DNS',
    minWidth: 164,
    leaves: 3,
    sortable: true,
    cell: (row) => <Mark row={row} />,
    folded: (row) => <Mark row={row} />,
  },
]

const Mark = ({ row: { points, removing } }: { row: AliasRow }) =>
  removing ? <StateChip tone="accent" label="Removing…" live /> : <PointsChip result={points} />
