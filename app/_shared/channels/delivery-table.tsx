'use client'

import type { DeliveryView } from '@/lib/portal/delivery/view'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { toast } from '../../_ui/toast'
import { StartButton } from '../start-button'
import { repeatDelivery } from './actions'
import { formatAnswer, formatContent, stateOfDelivery } from './channel-words'

type DeliveryTableProps = { label: string; deliveries: readonly DeliveryView[]; onSent: () => void }

/** The newest messages, with what the receiver answered; each can be sent again. */
export function DeliveryTable({ label, deliveries, onSent }: DeliveryTableProps) {
  if (deliveries.length === 0) return <p className="px-4 py-3 text-small text-muted">Nothing was sent yet.</p>
  return <Table label={`Messages to ${label}`} columns={columnsFor(onSent)} rows={deliveries} />
}

/** After a test or a message that is sent again. */
export function showSent(sent: { ok: boolean; status: number | null; answer: string }): void {
  if (sent.ok) toast(formatAnswer(sent))
  else toast.error(`Not accepted. ${formatAnswer(sent)}`)
}

const Answer = ({ delivery }: { delivery: DeliveryView }) => {
  const { attempts, dueAt } = delivery
  return (
    <span className="text-small wrap-anywhere text-muted">
      {attempts === 0 ? 'Not tried yet' : formatAnswer(delivery)}
      {attempts > 1 ? ` · ${attempts} attempts` : ''}
      {dueAt === null ? null : (
        <>
          {' · next '}
          <RelativeTime at={dueAt} />
        </>
      )}
    </span>
  )
}

const columnsFor = (onSent: () => void): readonly Column<DeliveryView>[] => [
  {
    id: 'what',
    label: 'Message',
    minWidth: 200,
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
    minWidth: 220,
    grows: true,
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
