'use client'

import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import type { LeftBehind, Trace } from '@/lib/portal/subjects/team/left-behind'

export function OwnConnections({ connections }: { connections: LeftBehind['connections'] }) {
  if (connections.length === 0) return <None text="No connections of their own." />
  return <Table label="Connections of their own" columns={connectionColumns} rows={connections} />
}

export function OwnTargets({ targets }: { targets: LeftBehind['targets'] }) {
  if (targets.length === 0) return <None text="No backup targets of their own." />
  return <Table label="Backup targets of their own" columns={targetColumns} rows={targets} />
}

export function Traces({ traces }: { traces: readonly Trace[] }) {
  if (traces.length === 0) return <None text="The audit log names nothing that they made on the team’s servers and that is still there." />
  return <Table label="Made on servers" columns={traceColumns} rows={traces} />
}

const None = ({ text }: { text: string }) => <Card className="px-4 py-3 text-muted">{text}</Card>

const connectionColumns: readonly Column<LeftBehind['connections'][number]>[] = [
  {
    id: 'connection',
    label: 'Connection',
    minWidth: 200,
    grows: true,
    main: true,
    cell: ({ label }) => <span className="font-semibold wrap-anywhere">{label}</span>,
  },
  {
    id: 'state',
    label: 'State',
    minWidth: 120,
    cell: ({ frozen }) => (frozen ? <StateChip tone="neutral" label="Frozen" /> : <StateChip tone="ok" label="In use" />),
  },
]

const targetColumns: readonly Column<LeftBehind['targets'][number]>[] = [
  {
    id: 'target',
    label: 'Backup target',
    minWidth: 200,
    grows: true,
    main: true,
    cell: ({ label }) => (
      <Link href="/team/backup-targets" className="font-semibold wrap-anywhere text-accent underline hover:text-accent-hover">
        {label}
      </Link>
    ),
  },
  {
    id: 'state',
    label: 'State',
    minWidth: 120,
    cell: ({ frozen }) => (frozen ? <StateChip tone="neutral" label="Frozen" /> : <StateChip tone="ok" label="Not frozen" />),
  },
]

const kinds: Record<Trace['kind'], { name: string; page: string }> = {
  sshKey: { name: 'SSH key of Gatehouse', page: 'settings' },
  cronJob: { name: 'Cron job', page: 'cron' },
  systemUser: { name: 'System user', page: 'users' },
}

const traceColumns: readonly Column<Trace>[] = [
  { id: 'trace', label: 'What', minWidth: 220, grows: true, main: true, cell: (trace) => <What trace={trace} /> },
  {
    id: 'server',
    label: 'Server',
    minWidth: 200,
    grows: true,
    cell: ({ kind, serverId, serverName, open }) =>
      open ? (
        <Link href={`/servers/${serverId}/${kinds[kind].page}`} className="wrap-anywhere text-accent underline hover:text-accent-hover">
          {serverName}
        </Link>
      ) : (
        <>
          <span className="wrap-anywhere">{serverName}</span>
          <span className="block text-small text-muted">Only their own connection lists it.</span>
        </>
      ),
  },
  {
    id: 'at',
    label: 'Made',
    minWidth: 136,
    leaves: 1,
    className: 'text-muted',
    cell: ({ at }) => <RelativeTime at={at} />,
  },
]

const What = ({ trace: { kind, what } }: { trace: Trace }) => (
  <>
    <span className="font-semibold">{kinds[kind].name}</span>
    {what === '' ? null : <code className="block font-mono text-code wrap-anywhere text-muted">{what}</code>}
  </>
)
