import { Tag } from '@/app/_ui/label-chip'
import type { Role } from '@/lib/portal/identity/actor'
import type { Factor, MemberView } from '@/lib/portal/subjects/team/members'
import { EndOfDay } from '../../_ui/end-of-day'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'

const columns: readonly Column<MemberView>[] = [
  { id: 'member', label: 'Member', minWidth: 220, grows: true, main: true, cell: (member) => <Member member={member} /> },
  {
    id: 'role',
    label: 'Role',
    minWidth: 104,
    leaves: 4,
    cell: ({ role }) => nameOfRole(role),
    folded: ({ role }) => <span className="text-small">{nameOfRole(role)}</span>,
  },
  {
    id: 'seen',
    label: 'Last seen',
    minWidth: 136,
    leaves: 1,
    className: 'text-muted',
    cell: (member) => <Seen member={member} />,
    folded: (member) => (
      <span className="text-small text-muted">
        last seen <Seen member={member} />
      </span>
    ),
  },
  {
    id: 'ends',
    label: 'Membership ends',
    minWidth: 164,
    leaves: 3,
    cell: ({ endsAt }) => (endsAt ? <EndOfDay at={endsAt} /> : <span className="text-muted">Never</span>),
    folded: ({ endsAt, state }) =>
      endsAt ? (
        <span className="text-small text-muted">
          {state === 'ended' ? 'ended' : 'ends'} <EndOfDay at={endsAt} />
        </span>
      ) : null,
  },
]

const factorColumn: Column<MemberView> = {
  id: 'factor',
  label: 'Second factor',
  minWidth: 160,
  leaves: 2,
  cell: (member) => <Factors member={member} />,
  folded: ({ factors }) => (
    <span className="text-small text-muted">{factors?.length ? `second factor: ${formatFactors(factors)}` : 'no second factor'}</span>
  ),
}

/** withFactors: only owners see the second factors. */
export const memberColumns = (withFactors: boolean): readonly Column<MemberView>[] =>
  withFactors ? columns.toSpliced(2, 0, factorColumn) : columns

const Member = ({ member: { name, email, you, state } }: { member: MemberView }) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="font-semibold wrap-anywhere">{name}</span>
      {you ? <Tag label="You" /> : null}
      {state === 'disabled' ? <StateChip tone="danger" label="Disabled" /> : null}
      {state === 'ended' ? <StateChip tone="neutral" label="Ended" /> : null}
    </span>
    <span className="block wrap-anywhere text-muted">{email}</span>
  </>
)

const factorNames: Record<Factor, string> = { app: 'authenticator app', passkey: 'passkey' }

const formatFactors = (factors: readonly Factor[]): string => factors.map((each) => factorNames[each]).join(', ')

const Factors = ({ member: { factors } }: { member: MemberView }) =>
  factors?.length ? (
    <span className="first-letter:uppercase inline-block">{formatFactors(factors)}</span>
  ) : (
    <StateChip tone="neutral" label="None" />
  )

const Seen = ({ member: { lastSeenAt } }: { member: MemberView }) => (lastSeenAt ? <RelativeTime at={lastSeenAt} /> : 'never')

/** The names of roles in the browser; the same as the portal's own. */
export const nameOfRole = (role: Role): string => `${role.charAt(0).toUpperCase()}${role.slice(1)}`
