'use client'

import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../_ui/button'
import { Sheet } from '../../../../_ui/sheet'
import { PickBox } from '../pick-box'
import { formatSize } from '../summary'
import type { Picked } from '../use-picked'
import { MailTime } from './mail-time'
import { type Group, groupBySender, isoOf, type Message, sayRecipients, saySender } from './queue'

/** So many rows are drawn at once: a queue full of spam is thinned out by filter and selection, not by reading. */
const page = 100

type MailTableProps = { messages: readonly Message[]; grouped: boolean; picked: Picked }

/** One row per message, or per sender with its messages folded away; on a phone the columns fold under the sender. */
export function MailTable({ messages, grouped, picked }: MailTableProps) {
  const [drawn, setDrawn] = useState(page)
  const groups = grouped ? groupBySender(messages) : []
  const count = grouped ? groups.length : messages.length
  return (
    <Sheet className="overflow-hidden">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Messages that wait</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className="w-11 p-0">
              <PickBox label="Select all that fit" ids={messages.map(({ id }) => id)} picked={picked} />
            </th>
            <Head>Sender</Head>
            <Head className="max-tablet:hidden">{grouped ? 'Messages' : 'Recipients'}</Head>
            <Head className="w-24 max-tablet:hidden">Size</Head>
            <Head className="w-36 max-tablet:hidden">{grouped ? 'Oldest' : 'Waits since'}</Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {grouped
            ? groups.slice(0, drawn).map((group) => <GroupRows key={group.sender} group={group} picked={picked} />)
            : messages.slice(0, drawn).map((message) => <Row key={message.id} message={message} picked={picked} />)}
        </tbody>
      </table>
      {count > drawn ? (
        <div className="border-t border-line px-4 py-2.5">
          <Button onClick={() => setDrawn(drawn + 5 * page)}>Show more ({(count - drawn).toLocaleString('en-GB')} left)</Button>
        </div>
      ) : null}
    </Sheet>
  )
}

const cell = 'px-3 py-2.5 align-top last:pr-4'

const Head = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <th scope="col" className={`h-9 px-3 text-left text-small font-medium text-muted last:pr-4 ${className}`}>
    {children}
  </th>
)

function Row({ message, picked, inGroup = false }: { message: Message; picked: Picked; inGroup?: boolean }) {
  const { id, sender, recipient, size, date } = message
  const at = isoOf(message)
  const age = at ? <MailTime at={at} /> : date
  return (
    <tr className={clsx(picked.has(id) && 'bg-accent-soft')}>
      <td className="p-0 align-top">
        <PickBox label={`Select the message ${id} from ${saySender(sender)}`} ids={[id]} picked={picked} />
      </td>
      <td className={clsx(cell, 'wrap-anywhere', inGroup && 'text-muted')}>
        {saySender(sender)}
        <span className="flex flex-col gap-0.5 pt-0.5 text-small text-muted tablet:hidden">
          <span>to {sayRecipients(recipient)}</span>
          <span>
            {formatSize(size)}, {age}
          </span>
        </span>
      </td>
      <td title={recipient} className={`${cell} wrap-anywhere max-tablet:hidden`}>
        {sayRecipients(recipient)}
      </td>
      <td className={`${cell} max-tablet:hidden`}>{formatSize(size)}</td>
      <td className={`${cell} text-muted max-tablet:hidden`}>{age}</td>
    </tr>
  )
}

function GroupRows({ group, picked }: { group: Group; picked: Picked }) {
  const { sender, messages, bytes, oldest } = group
  const [open, setOpen] = useState(false)
  const count = messages.length.toLocaleString('en-GB')
  const age = oldest ? <MailTime at={oldest} /> : ''
  return (
    <>
      <tr>
        <td className="p-0 align-top">
          <PickBox label={`Select all from ${saySender(sender)}`} ids={messages.map(({ id }) => id)} picked={picked} />
        </td>
        <td className={`${cell} wrap-anywhere`}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-h-6 items-start gap-1 text-left font-semibold"
          >
            <ChevronRight aria-hidden size={16} strokeWidth={1.5} className={clsx('mt-0.5 shrink-0', open && 'rotate-90')} />
            {saySender(sender)}
          </button>
          <span className="block pt-0.5 pl-5 text-small text-muted tablet:hidden">
            {count}, {formatSize(String(bytes))}, {age}
          </span>
        </td>
        <td className={`${cell} max-tablet:hidden`}>{count}</td>
        <td className={`${cell} max-tablet:hidden`}>{formatSize(String(bytes))}</td>
        <td className={`${cell} text-muted max-tablet:hidden`}>{age}</td>
      </tr>
      {open ? messages.slice(0, page).map((message) => <Row key={message.id} message={message} picked={picked} inGroup />) : null}
    </>
  )
}
