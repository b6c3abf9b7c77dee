/** The columns of the list of servers. A new one is an id in list-query.ts and a definition here. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import type { ListColumns } from '../../_shared/collection/list-column'
import { chipOf, formatState, stateValuesOf } from '../../_shared/servers/server-state'
import { LabelChip } from '../../_ui/label-chip'
import { Tag } from '../../_ui/tag'
import type { ServerColumnId } from './list-query'
import { formatKind, kindOf } from './server-kind'
import { ServerStateChip } from './server-state-chip'

const maxLabelsShown = 3

const asIs = (text: string): string => text

/** DNS and labels are hidden first, because the name needs the space. */
export const serverColumns: ListColumns<ListedServer, ServerColumnId> = {
  state: {
    label: 'State',
    minWidth: 160,
    leaves: 6,
    cell: (server) => <ServerStateChip server={server} />,
    folded: (server) => <NarrowRow server={server} />,
    sortText: (server) => chipOf(server).label,
    facets: [{ id: 'state', label: 'State', valuesOf: stateValuesOf, format: formatState }],
    csv: [['State', (server) => chipOf(server).label]],
  },
  name: {
    label: 'Name',
    minWidth: 160,
    grows: true,
    main: true,
    cell: ({ name }) => name,
    title: ({ name }) => name,
    sortText: ({ name }) => name,
    csv: [['Name', ({ name }) => name]],
  },
  hostname: {
    label: 'Hostname',
    minWidth: 176,
    grows: true,
    leaves: 5,
    className: 'font-mono text-code',
    cell: ({ hostname }) => hostname,
    title: ({ hostname }) => hostname,
    sortText: ({ hostname }) => hostname,
    csv: [['Hostname', ({ hostname }) => hostname]],
  },
  address: {
    label: 'Address',
    minWidth: 148,
    leaves: 3,
    className: 'font-mono text-code',
    cell: ({ address }) => address,
    title: ({ address }) => address,
    sortText: ({ address }) => address,
    csv: [['Address', ({ address }) => address]],
  },
  dns: {
    label: 'DNS',
    minWidth: 104,
    leaves: 1,
    className: 'text-muted',
    cell: ({ dns }) => dns || 'Not given',
    title: ({ dns }) => dns,
    sortText: ({ dns }) => dns,
    csv: [['DNS', ({ dns }) => dns]],
  },
  provider: {
    label: 'Provider',
    minWidth: 116,
    leaves: 4,
    className: 'text-muted',
    cell: (server) => (server.sandbox ? <Tag label="Sandbox" /> : formatProvider(server)),
    sortText: (server) => `${formatKind(kindOf(server))} ${server.connectionLabel}`,
    facets: [{ id: 'kind', label: 'Provider', valuesOf: (server) => [kindOf(server)], format: formatKind }],
    csv: [['Provider', (server) => formatKind(kindOf(server))]],
  },
  service: {
    label: 'Service',
    minWidth: 140,
    leaves: 4,
    className: 'text-muted',
    cell: ({ connectionLabel }) => connectionLabel,
    title: ({ connectionLabel }) => connectionLabel,
    sortText: ({ connectionLabel }) => connectionLabel,
    facets: [{ id: 'service', label: 'Service', valuesOf: ({ connectionLabel }) => [connectionLabel], format: asIs }],
    csv: [['Service', ({ connectionLabel }) => connectionLabel]],
  },
  labels: {
    label: 'Labels',
    minWidth: 128,
    leaves: 2,
    cell: ({ labels }) => (
      <span className="flex gap-1 overflow-hidden">
        <Labels names={labels} />
      </span>
    ),
    sortText: ({ labels }) => labels.join(' '),
    facets: [{ id: 'label', label: 'Label', valuesOf: ({ labels }) => labels, format: asIs }],
    csv: [['Labels', ({ labels }) => labels.join(', ')]],
  },
}

/** What a phone shows below the name. */
const NarrowRow = ({ server }: { server: ListedServer }) => (
  <span className="flex flex-col items-start gap-1.5">
    <span className="font-mono text-code break-all text-muted">{server.hostname || server.address}</span>
    <span className="flex flex-wrap gap-1.5">
      <ServerStateChip server={server} />
      {server.sandbox ? <Tag label="Sandbox" /> : null}
      <Labels names={server.labels} />
    </span>
  </span>
)

function Labels({ names }: { names: readonly string[] }) {
  const rest = names.slice(maxLabelsShown)
  return (
    <>
      {names.slice(0, maxLabelsShown).map((name) => (
        <LabelChip key={name} name={name} />
      ))}
      {rest.length > 0 ? (
        <span title={rest.join(', ')} className="text-small text-muted">
          +{rest.length}
        </span>
      ) : null}
    </>
  )
}

/** If a service does not name a provider, the service itself is shown. */
const formatProvider = (server: ListedServer): string => (server.provider === '' ? server.connectionLabel : formatKind(kindOf(server)))
