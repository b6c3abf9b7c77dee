/** The mail queue as a collection: each row is a message, or a sender with all of its messages. */
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { formatSender, type Group, groupBySender, isoOf, type Message } from './queue'

export type MailRow =
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
