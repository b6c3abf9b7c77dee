'use client'

import { useRouter } from 'next/navigation'
import type { MemberView } from '@/lib/portal/subjects/team/members'
import { Link } from '../../_ui/page-link'
import { disableMember, enableMember, removeMember } from './actions'
import { formatFrozen, MemberForm } from './member-form'
import type { OfferedRole } from './role-field'

/** Where what stays on servers is listed. */
const TracesLink = ({ id }: { id: string }) => (
  <Link href={`/team/${id}`} className="text-accent underline hover:text-accent-hover">
    See what stays on servers
  </Link>
)

const ReachLink = ({ id }: { id: string }) => (
  <Link href={`/reach?of=member&id=${id}&if=removeMember&member=${id}`} className="text-accent underline hover:text-accent-hover">
    See what this changes
  </Link>
)

export function DisableMember({ member: { id, name }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Disable account"
      description={
        <p>
          {name} is signed out everywhere and cannot sign in until the account is enabled. Their own connections and backup targets are
          frozen. <TracesLink id={id} />.
        </p>
      }
      action={disableMember}
      label="Disable account"
      danger
      message={(data) => `${name} was disabled.${formatFrozen(data)}`}
    />
  )
}

export function EnableMember({ member: { id, name }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Enable account"
      description={<p>{name} can sign in again. Frozen connections and backup targets stay frozen.</p>}
      action={enableMember}
      label="Enable account"
      message={() => `${name} was enabled.`}
    />
  )
}

export function RemoveMember({ member: { id, name, you }, onClose, onDone }: MemberDialogProps) {
  const router = useRouter()
  const title = you ? 'Leave team' : 'Remove member'
  const done = () => {
    // Before the refresh, which then reads this page. The row and its menu are gone, so this is where what stays is listed.
    if (!you) router.push(`/team/${id}`)
    onDone()
  }
  return (
    <MemberForm
      onClose={onClose}
      title={title}
      onDone={done}
      memberId={id}
      description={
        <p>
          {you ? 'You are' : `${name} is`} signed out everywhere and no longer a member. {you ? 'Your' : 'Their'} own connections and backup
          targets are frozen. SSH keys and cron jobs stay on the servers. <TracesLink id={id} />. <ReachLink id={id} />.
        </p>
      }
      action={removeMember}
      label={title}
      danger
      message={(data) => `${name} was removed from the team.${formatFrozen(data)}`}
    />
  )
}

/** What every dialog about a member gets. */
export type MemberDialogProps = {
  member: MemberView
  roles: readonly OfferedRole[]
  onClose: () => void
  /** Refreshes the page, and closes. */
  onDone: () => void
}
