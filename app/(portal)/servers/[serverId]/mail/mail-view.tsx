'use client'

import { useMemo, useState } from 'react'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import { formatSize, totalBytes } from '@/app/_ui/size'
import { deleteMessages } from './actions'
import { mailColumns } from './mail-columns'
import { arrangeMail, idsOfRow, mailCollection, messageRow } from './mail-rows'
import { MailTime } from './mail-time'
import { formatSender, type MailAnswer, type Message, oldestOf } from './queue'

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
