'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import type { SessionView } from '@/lib/portal/identity/sessions'
import { StartButton } from '../../_shared/forms/start-button'
import { RelativeTime } from '../../_ui/relative-time'
import { Section } from '../../_ui/section'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { endOtherSessions, endSession } from './actions'

const columnsFor = (onEnded: () => void): readonly Column<SessionView>[] => [
  { id: 'device', label: 'Device', minWidth: 150, grows: true, main: true, cell: (session) => <Device session={session} /> },
  {
    id: 'address',
    label: 'Address',
    minWidth: 144,
    leaves: 2,
    className: 'font-mono text-code',
    cell: ({ peer }) => peer,
    folded: ({ peer }) => <span className="text-small break-all text-muted">{peer}</span>,
  },
  {
    id: 'signed-in',
    label: 'Signed in',
    minWidth: 136,
    leaves: 1,
    className: 'text-small text-muted',
    cell: ({ signedInAt }) => <RelativeTime at={signedInAt} />,
  },
  {
    id: 'seen',
    label: 'Last seen',
    minWidth: 136,
    leaves: 3,
    className: 'text-small text-muted',
    cell: ({ seenAt }) => <RelativeTime at={seenAt} />,
    folded: ({ seenAt }) => (
      <span className="text-small text-muted">
        last seen <RelativeTime at={seenAt} />
      </span>
    ),
  },
  {
    id: 'end',
    label: 'End',
    labelHidden: true,
    minWidth: 88,
    className: 'text-right',
    cell: (session) => <End session={session} onEnded={onEnded} />,
  },
]

/** Where the user is signed in, and how to end sessions. */
export function Sessions({ sessions }: { sessions: readonly SessionView[] }) {
  const router = useRouter()
  const columns = useMemo(() => columnsFor(router.refresh), [router])
  return (
    <Section
      anchor="sessions"
      title="Sessions and devices"
      aside={
        sessions.length > 1 ? (
          <StartButton
            action={endOtherSessions}
            target={{}}
            label="End other sessions"
            variant="outline"
            message={formatEnded}
            onDone={router.refresh}
          />
        ) : null
      }
    >
      <Table label="Sessions" columns={columns} rows={sessions} />
    </Section>
  )
}

const formatEnded = ({ ended }: { ended: number }): string => (ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`)

const Device = ({ session: { device, userAgent, here } }: { session: SessionView }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className="font-semibold" title={userAgent}>
      {device}
    </span>
    {here ? <StateChip tone="accent" label="This device" /> : null}
  </span>
)

function End({ session: { id, here }, onEnded }: { session: SessionView; onEnded: () => void }) {
  if (here) return null
  return (
    <StartButton
      action={endSession}
      target={{ sessionId: id }}
      label="End"
      variant="danger"
      message={() => 'The session was ended.'}
      onDone={onEnded}
    />
  )
}
