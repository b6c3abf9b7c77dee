import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Domain, titleOfDomain } from '@/app/_shared/sites/domain'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { aliases } from '@/lib/contract/operations/aliases'
import { toReadableDomain } from '@/lib/text/idn'
import { compareRecords, type DnsRecord, tellsRecords } from '../compare-records'
import { PointsChip } from '../expected-record'

/** id: the alias. */
export type AliasRow = { id: string; a: string; mx: string; points: DnsRecord['result']; removing: boolean }

type Listed = Answer<typeof aliases.list>['item'][number]['aliases']

/** expected: the address they should point to. foreign: as the service is. */
type Reading = { expected: string; foreign: boolean; removing: string | null }

/** A service may list a name twice. */
export function aliasRows(listed: Listed, { expected, foreign, removing }: Reading): AliasRow[] {
  const rows = listed.map(({ domain: id, dns }): AliasRow => {
    const [a] = compareRecords(dns, { A: expected, MX: '' })
    const points = tellsRecords(dns, foreign) ? (a?.result ?? null) : null
    return { id, a: dns.A, mx: dns.MX, points, removing: removing === id }
  })
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

const query = defineQuery({ columns: ['alias', 'a', 'mx', 'points'], defaultColumn: 'alias', facets: [], flags: {} })

export const aliasCollection: CollectionKind<AliasRow, typeof query.whole> = {
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

export const aliasColumns: readonly Column<AliasRow>[] = [
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
