import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { email } from '@/lib/contract/operations/email'
import { toReadableDomain } from '@/lib/text/idn'

type Listed = Answer<typeof email.get>['item'][0]['emails'][number]

/** id: what is before the @, as the service lists it. destination: where it leads; of several, all. */
export type AddressRow = { id: string; address: string; destination: string; removing: boolean }

/** A service may list whole addresses. */
export const addressOf = (user: string, domain: string): string => (user.includes('@') ? user : `${user}@${domain}`)

/** A service may list an address once for each of its destinations. */
export function addressRows(listed: readonly Listed[], domain: string, removing: string | null): AddressRow[] {
  const destinations = new Map<string, string[]>()
  for (const { user, destination } of listed) destinations.set(user, [...(destinations.get(user) ?? []), destination])
  const readable = toReadableDomain(domain)
  return [...destinations].map(([id, led]) => ({
    id,
    address: addressOf(id, readable),
    destination: led.join(', '),
    removing: removing === id,
  }))
}

const query = defineQuery({ columns: ['address', 'destination'], defaultColumn: 'address', facets: [], flags: {} })

export const addressCollection: CollectionKind<AddressRow, typeof query.whole> = {
  noun: 'address',
  label: 'Addresses',
  query,
  nameOf: ({ address }) => address,
  selectLabel: ({ address }) => `Select ${address}`,
  selectAllLabel: 'Select all addresses',
  searched: ({ address, destination }) => [address, destination],
  sortTexts: { address: ({ address }) => address, destination: ({ destination }) => destination },
  facets: [],
  flags: [],
  searchHint: 'Filter by address or destination',
  noMatch: { title: 'No matching addresses', description: 'All words must match.' },
}

export const addressColumns: readonly Column<AddressRow>[] = [
  {
    id: 'address',
    label: 'Address',
    minWidth: 220,
    grows: true,
    main: true,
    sortable: true,
    cell: ({ address }) => address,
    title: ({ address }) => address,
  },
  {
    id: 'destination',
    label: 'Forwards to',
    minWidth: 220,
    grows: true,
    leaves: 1,
    sortable: true,
    className: 'text-muted',
    cell: (row) => <Destination row={row} />,
    folded: (row) => <Destination row={row} />,
    title: ({ destination }) => destination,
  },
]

const Destination = ({ row: { destination, removing } }: { row: AddressRow }) =>
  removing ? <StateChip tone="accent" label="Removing…" live /> : <span className="text-muted wrap-anywhere">{destination}</span>
