'use client'

import type { ChannelView, DeliveryView } from '@/lib/portal/delivery/view'
import { ButtonLink } from '../../_ui/button'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { toast } from '../../_ui/toast'
import { StartButton } from '../forms/start-button'
import { repeatDelivery } from './actions'
import { formatAnswer, formatContent, mostMessages, stateOfDelivery } from './channel-words'

type DeliveryTableProps = { channel: ChannelView; onSent: () => void }

/** The newest messages, with what the receiver answered; each can be sent again. */
export function DeliveryTable({ channel: { id, label, deliveries, messages }, onSent }: DeliveryTableProps) {
  if (deliveries.length === 0) return null
  const older = messages - deliveries.length
  return (
    <>
      <Table label={`Messages to ${label}`} columns={columnsFor(onSent)} rows={deliveries} />
      {older === 0 ? null : deliveries.length >= mostMessages ? (
        <p className="text-small text-muted">The newest {deliveries.length} of the last 90 days are shown.</p>
      ) : (
        <div>
          <ButtonLink href={`?messages=${id}`} scroll={false}>
            Show {older.toLocaleString('en')} older {older === 1 ? 'message' : 'messages'}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

/** After a test or a message that is sent again. */
export function showSent(sent: { ok: boolean; status: number | null; answer: string }): void {
  if (sent.ok) toast(formatAnswer(sent))
  else toast.error(`Not accepted. ${formatAnswer(sent)}`)
}

/** The state beside it says that a message was accepted. */
const Answer = ({ delivery }: { delivery: DeliveryView }) => {
  const { attempts, dueAt, state, status } = delivery
  return (
    <span className="text-small wrap-anywhere text-muted">
      {attempts > 1 ? `${attempts} attempts` : ''}
      {dueAt === null ? null : (
        <>
          {attempts > 1 ? ', next ' : attempts === 1 ? 'Next ' : 'First '}
          <RelativeTime at={dueAt} />
        </>
      )}
      {attempts > 1 || dueAt !== null ? <br /> : null}
      {attempts === 0 ? 'Not tried yet' : state === 'done' ? status : formatAnswer(delivery)}
    </span>
  )
}

const columnsFor = (onSent: () => void): readonly Column<DeliveryView>[] => [
  {
    id: 'what',
    label: 'Message',
    minWidth: 280,
    main: true,
    grows: true,
    cell: (delivery) => <span className="wrap-anywhere">{formatContent(delivery)}</span>,
  },
  {
    id: 'state',
    label: 'State',
    minWidth: 110,
    leaves: 4,
    cell: (delivery) => <StateChip {...stateOfDelivery(delivery)} />,
    folded: (delivery) => <StateChip {...stateOfDelivery(delivery)} />,
  },
  {
    id: 'answer',
    label: 'Answer',
    minWidth: 170,
    leaves: 3,
    cell: (delivery) => <Answer delivery={delivery} />,
    folded: (delivery) => <Answer delivery={delivery} />,
  },
  {
    id: 'at',
    label: 'Made',
    minWidth: 120,
    leaves: 2,
    className: 'text-small text-muted',
    cell: ({ at }) => <RelativeTime at={at} />,
    folded: ({ at }) => (
      <span className="text-small text-muted">
        <RelativeTime at={at} />
      </span>
    ),
  },
  {
    id: 'repeat',
    label: 'Send again',
    labelHidden: true,
    minWidth: 120,
    className: 'text-right',
    cell: ({ id, state, kind }) =>
      state === 'dropped' || kind === 'test' ? null : (
        <StartButton
          action={repeatDelivery}
          target={{ deliveryId: id }}
          label="Send again"
          variant="ghost"
          onDone={(sent) => {
            showSent(sent)
            onSent()
          }}
        />
      ),
  },
]
