'use client'

import { useRouter } from 'next/navigation'
import type { SessionView } from '@/lib/portal/identity/sessions'
import { StartButton } from '../../_shared/start-button'
import { Card } from '../../_ui/card'
import { PlainTable } from '../../_ui/plain-table'
import { RelativeTime } from '../../_ui/relative-time'
import { Section } from '../../_ui/section'
import { StateChip } from '../../_ui/state-chip'
import { endOtherSessions, endSession } from './actions'

const columns = [
  { name: 'Device' },
  { name: 'Address', className: 'max-tablet:hidden' },
  { name: 'Signed in', className: 'w-40 max-tablet:hidden' },
  { name: 'Last seen', className: 'w-40 max-tablet:hidden' },
  { name: 'End', className: 'w-28', nameHidden: true },
] as const

const cell = 'h-row px-3 py-row-gap first:pl-4 last:pr-4'

/** Where the user is signed in, and how to end sessions. */
export function Sessions({ sessions }: { sessions: readonly SessionView[] }) {
  const router = useRouter()
  return (
    <Section
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
      <Card className="overflow-hidden">
        <PlainTable caption="Sessions" columns={columns}>
          <tbody className="divide-y divide-line">
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} onEnded={router.refresh} />
            ))}
          </tbody>
        </PlainTable>
      </Card>
    </Section>
  )
}

const formatEnded = ({ ended }: { ended: number }): string => (ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`)

function SessionLine({ session, onEnded }: { session: SessionView; onEnded: () => void }) {
  return (
    <tr>
      <td className={cell}>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold" title={session.userAgent}>
            {session.device}
          </span>
          {session.here ? <StateChip tone="accent" label="This device" /> : null}
        </span>
        <span className="block pt-0.5 text-small break-all text-muted tablet:hidden">
          {session.peer} · last seen <RelativeTime at={session.seenAt} />
        </span>
      </td>
      <td className={`${cell} truncate font-mono text-code max-tablet:hidden`}>{session.peer}</td>
      <td className={`${cell} text-small text-muted max-tablet:hidden`}>
        <RelativeTime at={session.signedInAt} />
      </td>
      <td className={`${cell} text-small text-muted max-tablet:hidden`}>
        <RelativeTime at={session.seenAt} />
      </td>
      <td className={`${cell} text-right`}>
        {session.here ? null : (
          <StartButton
            action={endSession}
            target={{ sessionId: session.id }}
            label="End"
            variant="danger"
            message={() => 'The session was ended.'}
            onDone={onEnded}
          />
        )}
      </td>
    </tr>
  )
}
