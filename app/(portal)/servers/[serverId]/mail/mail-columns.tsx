import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatSize } from '@/app/_ui/size'
import type { Column } from '@/app/_ui/table/column'
import type { MailRow } from './mail-rows'
import { MailTime } from './mail-time'
import { formatRecipients, formatSender, isoOf } from './queue'

type ColumnOptions = {
  grouped: boolean
  /** Expands or collapses the messages of a sender. */
  onToggle: (sender: string) => void
}

export const mailColumns = ({ grouped, onToggle }: ColumnOptions): readonly Column<MailRow>[] => {
  const sortable = grouped ? {} : { sortable: true as const }
  return [
    {
      id: 'sender',
      label: 'Sender',
      minWidth: 200,
      grows: true,
      main: true,
      ...sortable,
      cell: (row) => <Sender row={row} onToggle={onToggle} />,
    },
    {
      id: 'recipient',
      label: grouped ? 'Messages' : 'Recipients',
      minWidth: 200,
      grows: true,
      leaves: 3,
      ...sortable,
      cell: formatCountOrRecipients,
      folded: (row) => muted(row.kind === 'group' ? formatCountOrRecipients(row) : `to ${formatCountOrRecipients(row)}`),
      title: (row) => (row.kind === 'message' ? row.message.recipient : ''),
    },
    {
      id: 'size',
      label: 'Size',
      minWidth: 96,
      leaves: 2,
      ...sortable,
      cell: formatRowSize,
      folded: (row) => muted(formatRowSize(row)),
    },
    {
      id: 'date',
      label: grouped ? 'Oldest' : 'Queued',
      minWidth: 144,
      leaves: 1,
      className: 'text-muted',
      ...sortable,
      cell: (row) => <Age row={row} />,
      folded: (row) => muted(<Age row={row} />),
    },
  ]
}

const muted = (text: ReactNode) => <span className="text-small text-muted">{text}</span>

const formatCountOrRecipients = (row: MailRow): string =>
  row.kind === 'group' ? row.group.messages.length.toLocaleString('en-GB') : formatRecipients(row.message.recipient)

const formatRowSize = (row: MailRow): string => formatSize(row.kind === 'group' ? String(row.group.bytes ?? '') : row.message.size)

function Age({ row }: { row: MailRow }) {
  const at = row.kind === 'group' ? row.group.oldest : isoOf(row.message)
  if (at) return <MailTime at={at} />
  return row.kind === 'group' ? '' : row.message.date
}

function Sender({ row, onToggle }: { row: MailRow; onToggle: (sender: string) => void }) {
  if (row.kind === 'message') return <span className={clsx(row.inGroup && 'text-muted')}>{formatSender(row.message.sender)}</span>
  const { sender } = row.group
  return (
    <button
      type="button"
      aria-expanded={row.open}
      onClick={() => onToggle(sender)}
      className="flex min-h-6 items-start gap-1 text-left font-semibold"
    >
      <ChevronRight aria-hidden size={16} strokeWidth={1.5} className={clsx('mt-0.5 shrink-0', row.open && 'rotate-90')} />
      {formatSender(sender)}
    </button>
  )
}
