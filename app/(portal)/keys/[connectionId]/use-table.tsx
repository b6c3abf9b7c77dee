'use client'

import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import type { Use } from '@/lib/portal/views/activity/uses'

type UseRow = Use & { id: string }

/** Who did what with the connection, and when; the newest first. */
export function UseTable({ uses }: { uses: readonly Use[] }) {
  if (uses.length === 0) return <Card className="px-4 py-3 text-muted">Nobody else has used it yet. Each use by others appears here.</Card>
  return <Table label="Uses" columns={columns} rows={uses.map((use): UseRow => ({ ...use, id: String(use.seq) }))} />
}

const columns: readonly Column<UseRow>[] = [
  {
    id: 'who',
    label: 'Who',
    minWidth: 160,
    main: true,
    cell: ({ who }) => <span className="font-semibold wrap-anywhere">{who}</span>,
  },
  {
    id: 'what',
    label: 'What',
    minWidth: 280,
    grows: true,
    leaves: 3,
    cell: (use) => <What use={use} />,
    folded: (use) => <What use={use} />,
  },
  {
    id: 'result',
    label: 'Result',
    minWidth: 120,
    leaves: 1,
    cell: ({ result }) => result,
    folded: ({ result }) => <span className="text-small text-muted">{result}</span>,
  },
  {
    id: 'when',
    label: 'When',
    minWidth: 130,
    leaves: 2,
    className: 'text-muted',
    cell: ({ at }) => <RelativeTime at={at} />,
    folded: ({ at }) => (
      <span className="text-small text-muted">
        <RelativeTime at={at} />
      </span>
    ),
  },
]

const What = ({ use: { description, target } }: { use: Use }) => (
  <span className="wrap-anywhere">
    {description}
    {target === '' ? null : <span className="text-muted"> · {target}</span>}
  </span>
)
