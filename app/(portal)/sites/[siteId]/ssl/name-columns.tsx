import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Domain, titleOfDomain } from '@/app/_shared/sites/domain'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import { toReadableDomain } from '@/lib/text/idn'
import type { NameRow } from './name-rows'

// Not sorted by a column, the names that need something come first.
const query = defineQuery({ columns: ['', 'name', 'certificate', 'check'], defaultColumn: '', facets: [], flags: {} })

/** A few names need no search. */
export const fewNames: CollectionKind<NameRow, typeof query.whole> = {
  noun: 'name',
  label: 'Names',
  query,
  nameOf: ({ id }) => toReadableDomain(id),
  selectLabel: ({ id }) => `Select ${toReadableDomain(id)}`,
  selectAllLabel: 'Select all names',
  searched: ({ id, reasons }) => [id, toReadableDomain(id), ...reasons],
  sortTexts: { name: ({ id }) => toReadableDomain(id), certificate: ({ certificate }) => certificate, check: ({ check }) => check },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching names', description: 'All words must match.' },
}

export const manyNames: typeof fewNames = { ...fewNames, searchHint: 'Filter by name or reason' }

const certificateChips = {
  covered: { tone: 'ok', label: 'Covered' },
  'left-out': { tone: 'warn', label: 'Left out' },
} as const

const checkChips = {
  ready: { tone: 'ok', label: 'Ready' },
  warning: { tone: 'warn', label: 'Warning' },
  blocked: { tone: 'danger', label: 'Blocked' },
} as const

const inCertificate = ({ certificate }: NameRow) => (certificate === '' ? null : <StateChip {...certificateChips[certificate]} />)

const checked = ({ check }: NameRow) => (check === '' ? null : <StateChip {...checkChips[check]} />)

const explained = ({ reasons }: NameRow) =>
  reasons.length === 0 ? null : (
    <span className="flex flex-col gap-1 text-muted">
      {reasons.map((reason) => (
        <span key={reason}>{reason}</span>
      ))}
    </span>
  )

const nameColumn: Column<NameRow> = {
  id: 'name',
  label: 'Name',
  minWidth: 200,
  grows: true,
  main: true,
  sortable: true,
  cell: ({ id }) => <Domain domain={id} />,
  title: ({ id }) => titleOfDomain(id),
}

const detailColumns: readonly (Column<NameRow> & { has: (row: NameRow) => boolean })[] = [
  {
    id: 'certificate',
    label: 'Certificate',
    minWidth: 124,
    leaves: 2,
    sortable: true,
    cell: inCertificate,
    folded: inCertificate,
    has: ({ certificate }) => certificate !== '',
  },
  {
    id: 'check',
    label: 'Check',
    minWidth: 116,
    leaves: 3,
    sortable: true,
    cell: checked,
    folded: checked,
    has: ({ check }) => check !== '',
  },
  {
    id: 'reason',
    label: 'Reason',
    minWidth: 280,
    grows: true,
    leaves: 1,
    cell: explained,
    folded: explained,
    has: ({ reasons }) => reasons.length > 0,
  },
]

/** Only those that any of the names has something in. */
export const nameColumns = (rows: readonly NameRow[]): readonly Column<NameRow>[] => [
  nameColumn,
  ...detailColumns.filter(({ has }) => rows.some(has)),
]
