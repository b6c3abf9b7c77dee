/** The columns of the list of servers. A new one is an id in list-query.ts and a definition here. */
import { FlaskConical } from 'lucide-react'
import { Tag } from '@/app/_ui/label-chip'
import { SmallMeter } from '@/app/_ui/meter'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import type { ListColumns } from '../../_shared/collection/list-column'
import { LabelCell, Labels } from '../../_shared/labels/labels'
import { figureColumns, fillLevels, formatBackupAge, waitingOf } from '../../_shared/servers/figures'
import type { ServerLine, ServerVitals } from '../../_shared/servers/server-line'
import { chipOf, formatState, needsInstall, stateValuesOf } from '../../_shared/servers/server-state'
import { formatCount } from '../../_ui/count'
import { RelativeTime } from '../../_ui/relative-time'
import type { ServerColumnId } from './list-query'
import { Figures, LastDay } from './screen-figures'
import { ServerStateChip } from './server-state-chip'

const asIs = (text: string): string => text

/** So that figures sort as numbers do; an unknown one is last. */
const padded = (figure: number | null | undefined): string => (figure == null ? '' : String(figure).padStart(10, '0'))

const formatLoad = (load: number | null | undefined): string => load?.toFixed(2) ?? ''

const printed = (figure: number | null | undefined): string => (figure == null ? '' : String(figure))

const formatLevel = (level: string): string => fillLevels[level] ?? level

const updateKinds: Readonly<Record<string, string>> = { security: 'Security', any: 'Any' }

/** "12 waiting, 3 security"; '' if none wait. */
export function describeUpdates(vitals: Partial<ServerVitals>): string {
  const [waiting, security] = [waitingOf(vitals), vitals.security ?? 0]
  if (waiting === 0) return ''
  return security > 0 ? `${formatCount(waiting)} waiting, ${formatCount(security)} security` : `${formatCount(waiting)} waiting`
}

const backupTime = (vitals: Partial<ServerVitals> | undefined): string =>
  vitals?.backupAt == null ? '' : new Date(vitals.backupAt * 60_000).toISOString()

/** What each column of figures has in common. */
const figureColumn = (id: keyof typeof figureColumns) => ({
  has: ({ vitals }: ServerLine) => figureColumns[id].has(vitals),
})

const figureFacet = (id: 'disk' | 'memory' | 'updates' | 'backup', label: string, format: (value: string) => string) => ({
  id,
  label,
  valuesOf: ({ vitals }: ServerLine) => figureColumns[id].valuesOf(vitals),
  format,
})

/** '' if it equals the name. */
const ownHostname = ({ name, hostname }: ServerLine): string => (hostname.toLowerCase() === name.toLowerCase() ? '' : hostname)

/** Columns that say least about the state are hidden first, because the name needs the space. */
export const serverColumns: ListColumns<ServerLine, ServerColumnId> = {
  state: {
    label: 'State',
    minWidth: 160,
    leaves: 14,
    cell: (server) => <ServerStateChip server={server} />,
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
    beside: ({ sandbox }) => (sandbox ? <SandboxSign /> : null),
    title: ({ name }) => name,
    sortText: ({ name }) => name,
    csv: [['Name', ({ name }) => name]],
  },
  hostname: {
    label: 'Hostname',
    has: (server) => ownHostname(server) !== '',
    minWidth: 176,
    grows: true,
    leaves: 5,
    className: 'font-mono text-code',
    cell: ownHostname,
    title: ownHostname,
    sortText: ({ hostname }) => hostname,
    csv: [['Hostname', ({ hostname }) => hostname]],
  },
  address: {
    label: 'Address',
    minWidth: 148,
    leaves: 10,
    className: 'font-mono text-code',
    cell: ({ address }) => address,
    title: ({ address }) => address,
    sortText: ({ address }) => address,
    csv: [['Address', ({ address }) => address]],
  },
  disk: {
    label: 'Disk',
    ...figureColumn('disk'),
    minWidth: 116,
    leaves: 13,
    cell: (server) => <Figures server={server}>{({ disk = null }) => <SmallMeter percent={disk} />}</Figures>,
    sortText: ({ vitals }) => padded(vitals?.disk),
    facets: [figureFacet('disk', 'Disk', formatLevel)],
    csv: [['Disk used, %', ({ vitals }) => printed(vitals?.disk)]],
  },
  memory: {
    label: 'Memory',
    ...figureColumn('memory'),
    minWidth: 116,
    leaves: 9,
    cell: (server) => <Figures server={server}>{({ memory = null }) => <SmallMeter percent={memory} />}</Figures>,
    sortText: ({ vitals }) => padded(vitals?.memory),
    facets: [figureFacet('memory', 'Memory', formatLevel)],
    csv: [['Memory used, %', ({ vitals }) => printed(vitals?.memory)]],
  },
  load: {
    label: 'Load',
    ...figureColumn('load'),
    minWidth: 76,
    leaves: 6,
    className: 'tabular-nums',
    cell: (server) => <Figures server={server}>{({ load = null }) => formatLoad(load)}</Figures>,
    sortText: ({ vitals }) => padded(vitals?.load == null ? null : Math.round(vitals.load * 100)),
    csv: [['Load, 15 minutes', ({ vitals }) => formatLoad(vitals?.load)]],
  },
  updates: {
    label: 'Updates',
    ...figureColumn('updates'),
    minWidth: 132,
    leaves: 12,
    cell: (server) => <Figures server={server}>{(vitals) => <Updates {...vitals} />}</Figures>,
    // By security updates first, then by all.
    sortText: ({ vitals }) => (waitingOf(vitals) === 0 ? '' : `${padded(vitals?.security)} ${padded(waitingOf(vitals))}`),
    facets: [figureFacet('updates', 'Updates', (kind) => updateKinds[kind] ?? kind)],
    csv: [
      ['Updates', ({ vitals }) => printed(vitals?.updates)],
      ['Security updates', ({ vitals }) => printed(vitals?.security)],
    ],
  },
  sites: {
    label: 'Sites',
    ...figureColumn('sites'),
    minWidth: 72,
    leaves: 7,
    cell: (server) => <Figures server={server}>{({ sites = 0 }) => (sites > 0 ? formatCount(sites) : null)}</Figures>,
    sortText: ({ vitals }) => padded(vitals?.sites || null),
    csv: [['Sites', ({ vitals }) => printed(vitals?.sites)]],
  },
  backup: {
    label: 'Last backup',
    ...figureColumn('backup'),
    minWidth: 120,
    leaves: 11,
    className: 'text-muted',
    cell: (server) => <Figures server={server}>{(vitals) => <BackupTime at={backupTime(vitals)} />}</Figures>,
    sortText: ({ vitals }) => backupTime(vitals),
    facets: [figureFacet('backup', 'Last backup', formatBackupAge)],
    csv: [['Last backup', ({ vitals }) => backupTime(vitals)]],
  },
  day: {
    label: 'Last 24 hours',
    has: (server) => !needsInstall(server),
    // The bars, and the wider edge of the last column.
    minWidth: 152,
    leaves: 8,
    cell: ({ id }) => <LastDay serverId={id} />,
  },
  dns: {
    label: 'DNS',
    unusual: true,
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
    unusual: true,
    minWidth: 116,
    leaves: 3,
    className: 'text-muted',
    cell: (server) => (server.sandbox ? <Tag label="Sandbox" /> : formatProvider(server)),
    sortText: (server) => `${formatKind(kindOf(server))} ${server.connectionLabel}`,
    facets: [{ id: 'kind', label: 'Provider', valuesOf: (server) => [kindOf(server)], format: formatKind }],
    csv: [['Provider', (server) => formatKind(kindOf(server))]],
  },
  service: {
    label: 'Service',
    minWidth: 140,
    leaves: 2,
    className: 'text-muted',
    cell: ({ connectionLabel }) => connectionLabel,
    title: ({ connectionLabel }) => connectionLabel,
    sortText: ({ connectionLabel }) => connectionLabel,
    facets: [{ id: 'service', label: 'Service', valuesOf: ({ connectionLabel }) => [connectionLabel], format: asIs }],
    csv: [['Service', ({ connectionLabel }) => connectionLabel]],
  },
  labels: {
    label: 'Labels',
    has: ({ labels }) => labels.length > 0,
    minWidth: 128,
    leaves: 4,
    cell: ({ labels }) => <LabelCell names={labels} />,
    sortText: ({ labels }) => labels.join(' '),
    facets: [{ id: 'label', label: 'Label', valuesOf: ({ labels }) => labels, format: asIs }],
    csv: [['Labels', ({ labels }) => labels.join(', ')]],
  },
}

/** Security updates are counted separately, because they should not wait. */
function Updates(vitals: Partial<ServerVitals>) {
  const [waiting, security] = [waitingOf(vitals), vitals.security ?? 0]
  if (waiting === 0) return vitals.updates == null ? null : <span className="text-muted">None</span>
  if (security === 0) return formatCount(waiting)
  return (
    <span title={describeUpdates(vitals)}>
      {waiting > security ? `${formatCount(waiting)} ` : null}
      <span className="text-warn">{waiting > security ? `(${formatCount(security)} security)` : `${formatCount(security)} security`}</span>
    </span>
  )
}

const BackupTime = ({ at }: { at: string }) => (at === '' ? null : <RelativeTime at={at} short />)

/** Quiet, because a list of simulated servers has it in each row. */
const SandboxSign = () => (
  <span title="Sandbox" className="relative z-1 inline-flex shrink-0 text-muted">
    <FlaskConical aria-hidden size={14} strokeWidth={1.75} />
    <span className="sr-only">Sandbox</span>
  </span>
)

/** What a phone shows below the name. */
export const NarrowServer = ({ server }: { server: ServerLine }) => (
  <span className="flex flex-col items-start gap-1.5">
    <span className="font-mono text-code break-all text-muted">{ownHostname(server) || server.address}</span>
    <span className="flex flex-wrap gap-1.5">
      <ServerStateChip server={server} />
      <Labels names={server.labels} />
    </span>
    <Figures server={server}>
      {({ disk }) =>
        disk == null ? null : (
          <span className="flex w-40 items-center gap-2 text-small text-muted">
            <span className="shrink-0">Disk</span> <SmallMeter percent={disk} />
          </span>
        )
      }
    </Figures>
  </span>
)

/** If a service does not name a provider, the service itself is shown. */
const formatProvider = (server: ServerLine): string => (server.provider === '' ? server.connectionLabel : formatKind(kindOf(server)))

/** Whose a server is, in one word: the provider behind it. */
const kindOf = (server: ListedServer): string =>
  server.sandbox ? 'sandbox' : server.provider === '' ? 'unsaid' : server.provider === 'custom' ? 'ssh' : server.provider

const providers: Record<string, string> = { ssh: 'Own server', sandbox: 'Sandbox', unsaid: 'Unknown' }

function formatKind(kind: string): string {
  return providers[kind] ?? kind
}
