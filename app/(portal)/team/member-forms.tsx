'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { Role } from '@/lib/portal/identity/actor'
import type { MemberChanged } from '@/lib/portal/subjects/team/change-member'
import type { MemberView } from '@/lib/portal/subjects/team/members'
import { ActionForm } from '../../_shared/forms/action-form'
import type { AnyActionResult, DataOf, FormAction } from '../../_shared/forms/call-action'
import { StepUpField } from '../../_shared/session/step-up-field'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'
import { Link } from '../../_ui/page-link'
import { toast } from '../../_ui/toast'
import { disableMember, enableMember, removeMember } from './actions'

/** A role that the user may give. */
export type OfferedRole = { role: Role; name: string; sentence: string }

type RoleFieldProps = { roles: readonly OfferedRole[]; start: Role; onChange?: (role: string) => void }

/** One of the roles that the user may give, with its sentence. */
export function RoleField({ roles, start, onChange }: RoleFieldProps) {
  const [chosen, setChosen] = useState<string>(start)
  const choose = (role: string) => {
    setChosen(role)
    onChange?.(role)
  }
  return (
    <Field name="role" label="Role" hint={roles.find(({ role }) => role === chosen)?.sentence}>
      {({ defaultValue: _, ...control }) => (
        <Select {...control} value={chosen} onChange={(event) => choose(event.target.value)}>
          {roles.map(({ role, name }) => (
            <option key={role} value={role}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

type MemberFormProps<Result extends AnyActionResult> = {
  memberId: string
  title: string
  description: ReactNode
  action: FormAction<Result>
  /** The button: verb and noun. */
  label: string
  danger?: boolean
  /** The toast once it is done. */
  message: (data: DataOf<Result>) => string
  onClose: () => void
  onDone: (data: DataOf<Result>) => void
  children?: ReactNode
}

/** A dialog for one change to a member, which needs a fresh sign-in. */
export function MemberForm<Result extends AnyActionResult>(props: MemberFormProps<Result>) {
  const { memberId, title, description, action, label, danger = false, message, onClose, onDone, children } = props
  const done = (data: DataOf<Result>) => {
    toast(message(data))
    onDone(data)
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <ActionForm action={action} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="memberId" value={memberId} />
            {children}
            <StepUpField />
            <FormButtons label={label} danger={danger} pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** " 2 connections and one backup target of their own were frozen.", or nothing. */
export function formatFrozen({ frozen, frozenTargets }: MemberChanged): string {
  const parts = [formatNumber(frozen, 'connection'), formatNumber(frozenTargets, 'backup target')].filter((part) => part !== '')
  if (parts.length === 0) return ''
  const text = `${parts.join(' and ')} of their own ${frozen + frozenTargets === 1 ? 'was' : 'were'} frozen.`
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function formatNumber(number: number, noun: string): string {
  if (number === 0) return ''
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`
}

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
