import { Tag } from '@/app/_ui/label-chip'
import type { Problem } from '@/lib/contract/problem'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { countOf } from '../../_ui/count'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip, type Tone } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'

/** state, problem: as the newest list of servers has them. */
export type KeyRow = { id: string; connection: ConnectionView; state: string; problem: Problem | null }

export const keyColumns: readonly Column<KeyRow>[] = [
  {
    id: 'state',
    label: 'State',
    minWidth: 128,
    leaves: 5,
    cell: (row) => <State row={row} />,
    folded: (row) => <State row={row} />,
  },
  { id: 'connection', label: 'Connection', minWidth: 240, grows: true, main: true, cell: (row) => <Name row={row} /> },
  {
    id: 'fingerprint',
    label: 'Fingerprint',
    minWidth: 184,
    leaves: 3,
    className: 'font-mono text-code',
    cell: ({ connection }) => connection.fingerprint,
    folded: ({ connection }) => <code className="font-mono text-code text-muted">{connection.fingerprint}</code>,
  },
  {
    id: 'owner',
    label: 'Owner',
    minWidth: 144,
    leaves: 4,
    cell: ({ connection }) => formatOwner(connection),
    folded: ({ connection }) => <span className="text-small text-muted">{formatOwner(connection)}</span>,
  },
  {
    id: 'servers',
    label: 'Servers',
    minWidth: 84,
    leaves: 2,
    cell: ({ connection, problem }) => connection.servers ?? <Uncounted problem={problem} />,
    folded: ({ connection: { servers }, problem }) => (
      <span className="text-small text-muted">{servers === null ? <Uncounted problem={problem} /> : countOf(servers, 'server')}</span>
    ),
  },
  {
    id: 'used',
    label: 'Last used',
    minWidth: 132,
    leaves: 1,
    className: 'text-muted',
    cell: ({ connection: { lastUsedAt } }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'),
    folded: ({ connection: { lastUsedAt } }) => (
      <span className="text-small text-muted">used {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'}</span>
    ),
  },
]

const State = ({ row: { connection, state, problem } }: { row: KeyRow }) => (
  <StateChip {...(connection.frozen ? frozenChip : chipOfState(state, problem))} />
)

/** Until the service has answered with its list. */
const Uncounted = ({ problem }: Pick<KeyRow, 'problem'>) => <span className="text-muted">{problem ? 'Unknown' : 'Loading…'}</span>

const formatOwner = ({ keeper, ownerName }: ConnectionView): string => (keeper === 'team' ? 'Team' : (ownerName ?? 'You'))

function Name({ row: { connection, state, problem } }: { row: KeyRow }) {
  const { label, address, bundled, frozen } = connection
  const advice = adviceOf[state] ?? (frozen ? null : problem?.sentence)
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold wrap-anywhere">{label}</span>
        {bundled ? <Tag label="Bundled" /> : null}
      </span>
      <span className="block wrap-anywhere text-muted">
        {bundled ? 'The service that comes with Gatehouse' : <code className="font-mono text-code">{address}</code>}
      </span>
      {frozen ? <Frozen {...frozen} /> : null}
      {advice ? <span className={`block pt-1 text-small ${adviceOf[state] ? 'text-danger' : 'text-warn'}`}>{advice}</span> : null}
    </>
  )
}

const Frozen = ({ by, at }: { by: string; at: string }) => (
  <span className="block pt-1 text-small text-warn">
    Frozen by {by || 'Gatehouse'} <RelativeTime at={at} />. No calls are made with it until it is thawed.
  </span>
)

type Chip = { tone: Tone; label: string }

const chips: Record<string, Chip> = {
  untried: { tone: 'neutral', label: 'Not used yet' },
  working: { tone: 'ok', label: 'Working' },
  rejected: { tone: 'danger', label: 'Rejected' },
  locked: { tone: 'danger', label: 'Locked' },
}

/** Instead of the state of its key. */
const frozenChip: Chip = { tone: 'warn', label: 'Frozen' }

/** A connection's state as a dot and a word. problem: why its service returns no list now; null if it does. */
export function chipOfState(state: string, problem: Pick<Problem, 'code'> | null): Chip {
  // Frozen since the page was opened: nothing was asked, so nothing failed to answer.
  if (problem?.code === 'key_frozen') return frozenChip
  if (state === 'working' && problem) return { tone: 'warn', label: 'No answer' }
  return chips[state] ?? { tone: 'neutral', label: state }
}

/** What is wrong with an unusable key, and what to do. */
const adviceOf: Readonly<Record<string, string>> = {
  rejected: 'The service no longer accepts this API key. Replace the key.',
  locked: 'The API key cannot be decrypted: its stored value was changed, or the key file is the wrong one. Replace the key.',
}
