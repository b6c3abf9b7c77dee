'use client'

import { UserPlus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Invited } from '@/lib/portal/subjects/team/invitation-link'
import type { InvitationView } from '@/lib/portal/subjects/team/invitations'
import { LinkDialog } from '../../_shared/dialogs/link-dialog'
import { ActionForm, useAction } from '../../_shared/forms/action-form'
import { callAction } from '../../_shared/forms/call-action'
import { StepUpDialog, StepUpField, showUnlessStepUp } from '../../_shared/session/step-up-field'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { EndOfDay } from '../../_ui/end-of-day'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { MenuItem } from '../../_ui/menu'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column, RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { TimeField } from '../../_ui/time-field'
import { toast } from '../../_ui/toast'
import { inviteMember, resendInvitation, revokeInvitation } from './actions'
import { nameOfRole } from './member-columns'
import { type OfferedRole, RoleField } from './member-forms'

/** The link of a new or resent invitation. */
function InvitationSent({ invited: { email, link, mail }, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <LinkDialog
      title={mail === 'sent' ? 'Invitation sent' : 'Copy the invitation link'}
      description={<p>{formatMail[mail](email)} It works once, within 24 hours, and is not shown again.</p>}
      link={link}
      onClose={onClose}
    />
  )
}

const formatMail: Record<Invited['mail'], (email: string) => string> = {
  sent: (email) => `The link was mailed to ${email}.`,
  failed: (email) => `The mail to ${email} could not be sent. Send them this link yourself.`,
  off: (email) => `Send this link to ${email}.`,
}

const buttonId = 'invite-member'

/** The button and its form; afterwards the link. */
export function InviteMember({ roles }: { roles: readonly OfferedRole[] }) {
  const router = useRouter()
  const [open, setOpen] = useState(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const done = (data: Invited) => {
    setOpen(false)
    setInvited(data)
    router.refresh()
  }
  const close = () => {
    setInvited(null)
    // Opened from another dialog, which is gone.
    requestAnimationFrame(() => document.getElementById(buttonId)?.focus())
  }
  return (
    <>
      <EarlyButton id={buttonId} variant="primary" onClick={() => setOpen(true)}>
        <UserPlus aria-hidden size={16} strokeWidth={1.5} />
        Invite member
      </EarlyButton>
      {open ? <InviteDialog roles={roles} onClose={() => setOpen(false)} onDone={done} /> : null}
      {invited ? <InvitationSent invited={invited} onClose={close} /> : null}
    </>
  )
}

type InviteDialogProps = { roles: readonly OfferedRole[]; onClose: () => void; onDone: (invited: Invited) => void }

function InviteDialog({ roles, onClose, onDone }: InviteDialogProps) {
  const start = roles.some(({ role }) => role === 'operator') ? 'operator' : 'viewer'
  const [role, setRole] = useState<string>(start)
  return (
    <Dialog open onOpenChange={onClose} title="Invite member" description={<p>The link works only for this address.</p>} firstField="email">
      <ActionForm action={inviteMember} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <Field name="email" label="Email">
              {(control) => <Input {...control} type="email" required maxLength={254} autoComplete="off" />}
            </Field>
            <RoleField roles={roles} start={start} onChange={setRole} />
            {role === 'guest' ? null : (
              <Field name="access" label="Access" hint="What the role allows, on these. You can change it on the page of the member.">
                {(control) => (
                  <Select {...control}>
                    <option value="everything">All servers and sites</option>
                    <option value="none">None at first</option>
                  </Select>
                )}
              </Field>
            )}
            <TimeField kind="date" name="endsOn" label="Last day" optional hint="The membership ends with this day (UTC)." />
            <StepUpField />
            <FormButtons label="Invite" busy="Inviting…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

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
