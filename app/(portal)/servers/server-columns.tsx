import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { LabelChip } from '../../_ui/label-chip'
import type { Column } from '../../_ui/table/column'
import { Tag } from '../../_ui/tag'
import { formatKind, kindOf } from './list-rows'
import { ServerStateChip } from './server-state-chip'

type ColumnOptions = {
  /** With several services each row names its own. */
  severalServices: boolean
  /** Some states need more than a word: when the server was last seen. */
  longStates: boolean
}

const maxLabelsShown = 3

/** DNS and labels are hidden first, because the name needs the space. */
export const serverColumns = ({ severalServices, longStates }: ColumnOptions): readonly Column<ListedServer>[] => [
  {
    id: 'state',
    label: 'State',
    minWidth: longStates ? 220 : 132,
    leaves: 6,
    sortable: true,
    cell: (server) => <ServerStateChip server={server} />,
    folded: (server) => <NarrowRow server={server} />,
  },
  {
    id: 'name',
    label: 'Name',
    minWidth: 160,
    grows: true,
    main: true,
    sortable: true,
    cell: ({ name }) => name,
    title: ({ name }) => name,
  },
  {
    id: 'hostname',
    label: 'Hostname',
    minWidth: 176,
    grows: true,
    leaves: 5,
    sortable: true,
    className: 'font-mono text-code',
    cell: ({ hostname }) => hostname,
    title: ({ hostname }) => hostname,
  },
  {
    id: 'address',
    label: 'Address',
    minWidth: 148,
    leaves: 3,
    sortable: true,
    className: 'font-mono text-code',
    cell: ({ address }) => address,
    title: ({ address }) => address,
  },
  {
    id: 'labels',
    label: 'Labels',
    minWidth: 128,
    leaves: 2,
    sortable: true,
    cell: ({ labels }) => (
      <span className="flex gap-1 overflow-hidden">
        <Labels names={labels} />
      </span>
    ),
  },
  {
    id: 'dns',
    label: 'DNS',
    minWidth: 104,
    leaves: 1,
    sortable: true,
    className: 'text-muted',
    cell: ({ dns }) => dns || 'Not given',
    title: ({ dns }) => dns,
  },
  {
    id: 'provider',
    label: 'Provider',
    minWidth: 116,
    leaves: 4,
    sortable: true,
    className: 'text-muted',
    cell: (server) => (
      <>
        {server.sandbox ? <Tag label="Sandbox" variant="sandbox" /> : formatProvider(server)}
        {severalServices ? ` ${server.connectionLabel}` : null}
      </>
    ),
    title: (server) =>
      [server.sandbox ? 'Sandbox' : formatProvider(server), ...(severalServices ? [server.connectionLabel] : [])].join(', '),
  },
]

/** What a phone shows below the name. */
const NarrowRow = ({ server }: { server: ListedServer }) => (
  <span className="flex flex-col items-start gap-1.5">
    <span className="font-mono text-code break-all text-muted">{server.hostname || server.address}</span>
    <span className="flex flex-wrap gap-1.5">
      <ServerStateChip server={server} />
      {server.sandbox ? <Tag label="Sandbox" variant="sandbox" /> : null}
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
