'use client'

import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useOperation } from '@/app/_shared/reads/use-read'
import { EmptyState } from '@/app/_ui/empty-state'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import { formatSize, totalBytes } from '@/app/_ui/size'
import type { Column } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { mail } from '@/lib/contract/operations/mail'
import { deleteMessages } from '../actions'

type MailAnswer = Answer<typeof mail.list>
export type Message = MailAnswer['messages'][number]

/** Messages of one sender; bytes: null if any size is unknown. oldest: ISO, null if no date is understood. */
type Group = { sender: string; messages: readonly Message[]; bytes: number | null; oldest: string | null }

/** The interface's date, which the bundled service reports in UTC; null if it is not a date. */
export function isoOf({ date }: Pick<Message, 'date'>): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(date)
  const time = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** The senders with most messages first. */
export function groupBySender(messages: readonly Message[]): Group[] {
  const bySender = new Map<string, Message[]>()
  for (const message of messages) {
    const group = bySender.get(message.sender)
    if (group) group.push(message)
    else bySender.set(message.sender, [message])
  }
  return [...bySender]
    .map(([sender, own]) => ({ sender, messages: own, bytes: totalBytes(own), oldest: oldestOf(own) }))
    .sort((one, other) => other.messages.length - one.messages.length)
}

export function oldestOf(messages: readonly Message[]): string | null {
  const times = messages.flatMap((message) => isoOf(message) ?? [])
  return times.reduce<string | null>((oldest, time) => (oldest === null || time < oldest ? time : oldest), null)
}

/** The empty sender of bounces, which Postfix calls by this name. */
export const formatSender = (sender: string): string => (sender === '' || sender === 'MAILER-DAEMON' ? 'Bounces (no sender)' : sender)

/** The first few by name, and how many more. */
export function formatRecipients(recipient: string): string {
  const [first = '', second, ...rest] = recipient.split(', ')
  if (second === undefined) return first
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`
}

const noMessages: readonly Message[] = []

export function MailView({ id: serverId, name, first, may }: SubjectViewProps<MailAnswer>) {
  const read = useOperation('mail.list', { serverId }, { first, everyMs: 15_000 })
  const messages = read.data?.messages ?? noMessages
  const rows = useMemo(() => messages.map(messageRow), [messages])
  const collection = useCollection(mailCollection, rows)
  const { grouped } = collection.query
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(() => mailColumns({ grouped, onToggle: (sender) => setOpen((before) => toggled(before, sender)) }), [grouped])
  const foreign = useForeign()
  return (
    <Collection
      collection={collection}
      columns={columns}
      read={read}
      nothingRead={`The mail queue of ${name} could not be read.`}
      title="Mail queue"
      aside={messages.length > 0 ? <Totals messages={messages} /> : undefined}
      arrange={(shown) => (grouped ? arrangeMail(shown, open) : shown)}
      idsOf={idsOfRow}
      empty={<NoMail name={name} />}
      remove={{
        action: deleteMessages,
        target: { serverId },
        may,
        description: ({ length }) => <p>{formatLoss(length, foreign)}</p>,
        nameOf: (row) => (row.kind === 'message' ? `${formatSender(row.message.sender)} → ${row.message.recipient}` : ''),
        onSettled: read.again,
      }}
    />
  )
}

function toggled(before: ReadonlySet<string>, sender: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(sender)) after.add(sender)
  return after
}

function formatLoss(count: number, foreign: boolean): string {
  const subject = count === 1 ? 'It' : 'They'
  if (foreign) return `${subject} cannot be restored.`
  return `${subject} will not be delivered and cannot be restored. Senders and recipients are not notified.`
}

function NoMail({ name }: { name: string }) {
  const foreign = useForeign()
  return (
    <Card>
      <EmptyState title="The mail queue is empty">
        {foreign ? (
          <p>The service lists no queued messages of {name}.</p>
        ) : (
          <p>All mail of {name} was sent. Messages are queued here while their recipient’s server is unreachable.</p>
        )}
      </EmptyState>
    </Card>
  )
}

function Totals({ messages }: { messages: readonly Message[] }) {
  const [bytes, oldest] = [totalBytes(messages), oldestOf(messages)]
  if (bytes === null && oldest === null) return null
  return (
    <p className="text-small text-muted">
      {bytes === null ? 'The oldest' : `${formatSize(String(bytes))}${oldest ? ', the oldest' : ''}`}
      {oldest ? (
        <>
          {' '}
          from <MailTime at={oldest} />
        </>
      ) : null}
    </p>
  )
}

type ColumnOptions = {
  grouped: boolean
  /** Expands or collapses the messages of a sender. */
  onToggle: (sender: string) => void
}

const mailColumns = ({ grouped, onToggle }: ColumnOptions): readonly Column<MailRow>[] => {
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

/** When a message arrived. The interface names no time zone, so another service's time is shown unchanged, without an age. */
function MailTime({ at }: { at: string }) {
  return useForeign() ? at.slice(0, 19).replace('T', ' ') : <RelativeTime at={at} />
}

/** The mail queue as a collection: each row is a message, or a sender with all of its messages. */
type MailRow =
  | { id: string; kind: 'message'; message: Message; inGroup: boolean }
  | { id: string; kind: 'group'; group: Group; open: boolean }

export const messageRow = (message: Message): MailRow => ({ id: message.id, kind: 'message', message, inGroup: false })

const query = defineQuery({
  columns: ['', 'sender', 'recipient', 'size', 'date'],
  // As the service lists them.
  defaultColumn: '',
  facets: [],
  flags: { grouped: { param: ['by', 'sender'], narrows: false } },
})

/** Text of a single message; groups are made after filtering and sorting. */
const textOf = (format: (message: Message) => string) => (row: MailRow) => (row.kind === 'message' ? format(row.message) : '')

export const mailCollection: CollectionKind<MailRow, typeof query.whole> = {
  noun: 'message',
  label: 'Queued messages',
  query,
  nameOf: ({ id }) => id,
  selectLabel: (row) =>
    row.kind === 'group'
      ? `Select all from ${formatSender(row.group.sender)}`
      : `Select the message ${row.id} from ${formatSender(row.message.sender)}`,
  selectAllLabel: 'Select all matching',
  searched: (row) => (row.kind === 'message' ? [row.message.sender, row.message.recipient, row.message.id] : []),
  sortTexts: {
    sender: textOf(({ sender }) => formatSender(sender)),
    recipient: textOf(({ recipient }) => recipient),
    size: textOf(({ size }) => size.padStart(20, '0')),
    date: textOf((message) => isoOf(message) ?? message.date),
  },
  facets: [],
  flags: [{ id: 'grouped', label: 'Group by sender' }],
  searchHint: 'Filter by sender, recipient, id',
  noMatch: {
    title: 'No matching messages',
    description: 'No queued message contains all of these words in its sender, recipients or id.',
  },
}

/** The senders of these messages, expanded ones followed by their messages. */
export function arrangeMail(shown: readonly MailRow[], open: ReadonlySet<string>): readonly MailRow[] {
  const messages = shown.flatMap((row) => (row.kind === 'message' ? [row.message] : []))
  return groupBySender(messages).flatMap((group): MailRow[] => {
    const isOpen = open.has(group.sender)
    const row: MailRow = { id: `from ${group.sender}`, kind: 'group', group, open: isOpen }
    return isOpen ? [row, ...group.messages.map((message) => ({ ...messageRow(message), inGroup: true }))] : [row]
  })
}

/** The messages a row stands for. */
export const idsOfRow = (row: MailRow): readonly string[] => (row.kind === 'group' ? row.group.messages.map(({ id }) => id) : [row.id])
