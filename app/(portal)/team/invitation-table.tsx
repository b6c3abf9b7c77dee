'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Invited } from '@/lib/portal/subjects/team/invitation-link'
import type { InvitationView } from '@/lib/portal/subjects/team/invitations'
import { callAction } from '../../_shared/forms/call-action'
import { useAction } from '../../_shared/forms/use-action'
import { StepUpDialog, showUnlessStepUp } from '../../_shared/session/step-up-dialog'
import { EndOfDay } from '../../_ui/end-of-day'
import { MenuItem } from '../../_ui/menu'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column, RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { toast } from '../../_ui/toast'
import { resendInvitation, revokeInvitation } from './actions'
import { InvitationSent } from './invitation-sent'
import { nameOfRole } from './member-columns'

const menuIdOf = (email: string): string => `invitation-${email}`

/** One row per invitation that was neither accepted nor revoked. The menu is absent where the reader may change none. */
export function InvitationTable({ invitations }: { invitations: readonly InvitationView[] }) {
  const [sent, setSent] = useState<Invited | null>(null)
  const { resend, prove, revoke } = useInvitationChanges(setSent)
  const menu: RowMenu<InvitationView> = {
    label: ({ email }) => `Actions for ${email}`,
    buttonId: ({ email }) => menuIdOf(email),
    items: (row) =>
      row.changeable ? (
        <>
          <MenuItem onSelect={() => void resend(row)}>Resend</MenuItem>
          <MenuItem danger onSelect={() => void revoke(row)}>
            Revoke
          </MenuItem>
        </>
      ) : null,
  }
  const close = () => {
    setSent(null)
    // Opened from a menu item, which is gone.
    requestAnimationFrame(() => document.getElementById(menuIdOf(sent?.email ?? ''))?.focus())
  }
  const changeable = invitations.some((row) => row.changeable)
  return (
    <>
      <Table label="Pending invitations" columns={columns} rows={invitations} {...(changeable && { menu })} />
      <StepUpDialog label="Resend" {...prove} />
      {sent ? <InvitationSent invited={sent} onClose={close} /> : null}
    </>
  )
}

function useInvitationChanges(onSent: (invited: Invited) => void) {
  const router = useRouter()
  const [resent, setResent] = useState('')
  const { answer, pending, send } = useAction(resendInvitation)
  const resend = async (id: string, proof: Readonly<Record<string, string>> = {}) => {
    setResent(id)
    const newest = await send({ invitationId: id, ...proof })
    if (newest?.ok) onSent(newest.data)
    else if (newest) showUnlessStepUp(newest.problem)
    router.refresh()
  }
  return {
    resend: ({ id }: InvitationView) => resend(id),
    /** For the dialog in which the user confirms who they are, if resending needs it. */
    prove: {
      answer,
      pending,
      refused: answer && !answer.ok ? answer.problem.fields : undefined,
      onProof: (proof: Readonly<Record<string, string>>) => void resend(resent, proof),
    },
    revoke: async ({ id, email }: InvitationView) => {
      const answer = await callAction(revokeInvitation, { invitationId: id })
      if (answer.ok) toast(`The invitation of ${email} was revoked.`)
      else toast.error(answer.problem.sentence)
      router.refresh()
    },
  }
}

const columns: readonly Column<InvitationView>[] = [
  { id: 'invited', label: 'Invited', minWidth: 260, grows: true, main: true, cell: (row) => <Address row={row} /> },
  {
    id: 'role',
    label: 'Role',
    minWidth: 104,
    leaves: 3,
    cell: ({ role }) => nameOfRole(role),
    folded: ({ role }) => <span className="text-small">{nameOfRole(role)}</span>,
  },
  {
    id: 'by',
    label: 'Invited by',
    minWidth: 150,
    leaves: 1,
    className: 'text-muted',
    cell: ({ invitedBy }) => <span className="wrap-anywhere">{invitedBy ?? 'A former member'}</span>,
  },
  {
    id: 'ends',
    label: 'Membership ends',
    minWidth: 164,
    leaves: 2,
    cell: ({ membershipEndsAt }) => (membershipEndsAt ? <EndOfDay at={membershipEndsAt} /> : <span className="text-muted">Never</span>),
    folded: ({ membershipEndsAt }) =>
      membershipEndsAt ? (
        <span className="text-small text-muted">
          until <EndOfDay at={membershipEndsAt} />
        </span>
      ) : null,
  },
  {
    id: 'expires',
    label: 'Link expires',
    minWidth: 136,
    leaves: 4,
    cell: (row) => <Expiry row={row} />,
    folded: (row) => (
      <span className="text-small text-muted">
        {row.expired ? null : 'expires '}
        <Expiry row={row} />
      </span>
    ),
  },
]

const Address = ({ row: { email } }: { row: InvitationView }) => <span className="font-semibold wrap-anywhere">{email}</span>

const Expiry = ({ row: { expired, expiresAt } }: { row: InvitationView }) =>
  expired ? <StateChip tone="warn" label="Expired" /> : <RelativeTime at={expiresAt} />
