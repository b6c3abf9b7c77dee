/** The columns of the list of servers. A new one is an id in list-query.ts and a definition here. */
import { FlaskConical } from 'lucide-react'
import type { ListColumns } from '../../_shared/collection/list-column'
import type { ServerLine, ServerVitals } from '../../_shared/servers/server-line'
import { chipOf, formatState, needsInstall, stateValuesOf } from '../../_shared/servers/server-state'
import { formatCount } from '../../_ui/count'
import { LabelChip } from '../../_ui/label-chip'
import { RelativeTime } from '../../_ui/relative-time'
import { SmallMeter } from '../../_ui/small-meter'
import { Tag } from '../../_ui/tag'
import { LastDay } from './last-day'
import type { ServerColumnId } from './list-query'
import { formatKind, kindOf } from './server-kind'
import { ServerStateChip } from './server-state-chip'

const maxLabelsShown = 3

const asIs = (text: string): string => text

const minuteMs = 60_000

/** So that figures sort as numbers do; an unknown one is last. */
const padded = (figure: number | null | undefined): string => (figure == null ? '' : String(figure).padStart(10, '0'))

const printed = (figure: number | null | undefined): string => (figure == null ? '' : String(figure))

const fillLevels: Readonly<Record<string, string>> = { '90': '90 % or more', '75': '75 % or more' }

/** A disk that is 92 % full is also 75 % full or more. */
const levelsOf = (percent: number | null | undefined): string[] =>
  Object.keys(fillLevels).filter((least) => percent != null && percent >= Number(least))

const formatLevel = (level: string): string => fillLevels[level] ?? level

/** All that wait. A service may report those of security alone. */
const waitingOf = (vitals: ServerVitals | undefined): number => Math.max(vitals?.updates ?? 0, vitals?.security ?? 0)

const updateKinds: Readonly<Record<string, string>> = { security: 'Security', any: 'Any' }

const updateKindsOf = (vitals: ServerVitals | undefined): string[] =>
  waitingOf(vitals) === 0 ? [] : (vitals?.security ?? 0) > 0 ? ['any', 'security'] : ['any']

/** "12 waiting, 3 of security"; '' if none wait. */
export function describeUpdates(vitals: ServerVitals): string {
  const waiting = waitingOf(vitals)
  if (waiting === 0) return ''
  return vitals.security > 0
    ? `${formatCount(waiting)} waiting, ${formatCount(vitals.security)} of security`
    : `${formatCount(waiting)} waiting`
}

const backupAges: Readonly<Record<string, string>> = { night: 'Last night', older: 'Older', none: 'None known' }

/** As Home counts them: a backup that ended within 26 hours is of last night. */
const backupNightMinutes = 26 * 60

export function backupAgeOf({ vitals }: ServerLine, now = Date.now()): readonly ('night' | 'older' | 'none')[] {
  if (!vitals) return []
  if (vitals.backupAt === null) return ['none']
  return [vitals.backupAt > now / minuteMs - backupNightMinutes ? 'night' : 'older']
}

const backupTime = ({ vitals }: ServerLine): string => (vitals?.backupAt == null ? '' : new Date(vitals.backupAt * minuteMs).toISOString())

/** '' where it says what the name says already. */
const ownHostname = ({ name, hostname }: ServerLine): string => (hostname.toLowerCase() === name.toLowerCase() ? '' : hostname)

/** What says least about the state is hidden first, because the name needs the space. */
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
    leaves: 6,
    className: 'font-mono text-code',
    cell: ownHostname,
    title: ownHostname,
    sortText: ({ hostname }) => hostname,
    csv: [['Hostname', ({ hostname }) => hostname]],
  },
  address: {
    label: 'Address',
    minWidth: 148,
    leaves: 5,
    className: 'font-mono text-code',
    cell: ({ address }) => address,
    title: ({ address }) => address,
    sortText: ({ address }) => address,
    csv: [['Address', ({ address }) => address]],
  },
  disk: {
    label: 'Disk',
    has: ({ vitals }) => vitals?.disk != null,
    minWidth: 116,
    leaves: 13,
    cell: ({ vitals }) => <SmallMeter percent={vitals?.disk ?? null} />,
    sortText: ({ vitals }) => padded(vitals?.disk),
    facets: [{ id: 'disk', label: 'Disk', valuesOf: ({ vitals }) => levelsOf(vitals?.disk), format: formatLevel }],
    csv: [['Disk used, %', ({ vitals }) => printed(vitals?.disk)]],
  },
  memory: {
    label: 'Memory',
    has: ({ vitals }) => vitals?.memory != null,
    minWidth: 116,
    leaves: 9,
    cell: ({ vitals }) => <SmallMeter percent={vitals?.memory ?? null} />,
    sortText: ({ vitals }) => padded(vitals?.memory),
    facets: [{ id: 'memory', label: 'Memory', valuesOf: ({ vitals }) => levelsOf(vitals?.memory), format: formatLevel }],
    csv: [['Memory used, %', ({ vitals }) => printed(vitals?.memory)]],
  },
  updates: {
    label: 'Updates',
    has: ({ vitals }) => vitals?.updates != null || waitingOf(vitals) > 0,
    minWidth: 132,
    leaves: 12,
    cell: ({ vitals }) => (vitals ? <Updates {...vitals} /> : null),
    title: ({ vitals }) => (vitals ? describeUpdates(vitals) : ''),
    // Those of security first, whatever else waits.
    sortText: ({ vitals }) => (waitingOf(vitals) === 0 ? '' : `${padded(vitals?.security)} ${padded(waitingOf(vitals))}`),
    facets: [
      { id: 'updates', label: 'Updates', valuesOf: ({ vitals }) => updateKindsOf(vitals), format: (kind) => updateKinds[kind] ?? kind },
    ],
    csv: [
      ['Updates', ({ vitals }) => printed(vitals?.updates)],
      ['Security updates', ({ vitals }) => printed(vitals?.security)],
    ],
  },
  sites: {
    label: 'Sites',
    has: ({ vitals }) => (vitals?.sites ?? 0) > 0,
    minWidth: 72,
    leaves: 7,
    cell: ({ vitals }) => (vitals && vitals.sites > 0 ? formatCount(vitals.sites) : null),
    sortText: ({ vitals }) => (vitals && vitals.sites > 0 ? padded(vitals.sites) : ''),
    csv: [['Sites', ({ vitals }) => printed(vitals?.sites)]],
  },
  backup: {
    label: 'Last backup',
    has: (server) => backupTime(server) !== '',
    minWidth: 120,
    leaves: 11,
    className: 'text-muted',
    cell: (server) => (backupTime(server) === '' ? null : <RelativeTime at={backupTime(server)} short />),
    sortText: backupTime,
    facets: [{ id: 'backup', label: 'Last backup', valuesOf: (server) => backupAgeOf(server), format: (age) => backupAges[age] ?? age }],
    csv: [['Last backup', backupTime]],
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

/** Those of security apart, because they should not wait. */
function Updates(vitals: ServerVitals) {
  const waiting = waitingOf(vitals)
  if (waiting === 0) return vitals.updates === null ? null : <span className="text-muted">None</span>
  if (vitals.security === 0) return formatCount(waiting)
  return (
    <>
      {waiting > vitals.security ? `${formatCount(waiting)}, ` : null}
      <span className="text-warn">{formatCount(vitals.security)} security</span>
    </>
  )
}

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
    {server.vitals?.disk == null ? null : (
      <span className="flex w-40 items-center gap-2 text-small text-muted">
        <span className="shrink-0">Disk</span> <SmallMeter percent={server.vitals.disk} />
      </span>
    )}
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
const formatProvider = (server: ServerLine): string => (server.provider === '' ? server.connectionLabel : formatKind(kindOf(server)))
