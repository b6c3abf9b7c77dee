'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { MemberView } from '@/lib/portal/subjects/team/members'
import { SearchedRows } from '../../_shared/collection/searched-rows'
import { LinkDialog } from '../../_shared/dialogs/link-dialog'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { MenuItem, MenuLink, MenuNote } from '../../_ui/menu'
import { Link } from '../../_ui/page-link'
import type { RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { TimeField } from '../../_ui/time-field'
import { changeMemberEmail, changeRole, createResetLink, setMembershipEnd } from './actions'
import { memberColumns, nameOfRole } from './member-columns'
import {
  DisableMember,
  EnableMember,
  formatFrozen,
  type MemberDialogProps,
  MemberForm,
  type OfferedRole,
  RemoveMember,
  RoleField,
} from './member-forms'

const dialogs = {
  role: ChangeRole,
  end: MembershipEnd,
  disable: DisableMember,
  enable: EnableMember,
  remove: RemoveMember,
  reset: ResetLink,
  email: ChangeEmail,
} as const

const textOf = ({ name, email, role }: MemberView): string => `${name} ${email} ${nameOfRole(role)}`

/** mails: whether members can prove a new address themselves. roles: those that the reader may give; none if they may change nobody, who then get no menu. */
type MemberTableProps = { members: readonly MemberView[]; roles: readonly OfferedRole[]; mails: boolean }

/** One row per member. Dialogs are outside the rows, because the answer to a removal arrives with a page without that row. */
export function MemberTable({ members, roles, mails }: MemberTableProps) {
  const router = useRouter()
  const [open, setOpen] = useState<{ dialog: MemberDialog; member: MemberView } | null>(null)
  const Dialog = open ? dialogs[open.dialog] : null
  const close = () => {
    setOpen(null)
    requestAnimationFrame(() => document.getElementById(menuIdOf(open?.member.id ?? ''))?.focus())
  }
  const done = () => {
    close()
    router.refresh()
  }
  const menu: RowMenu<MemberView> = {
    label: ({ name }) => `Actions for ${name}`,
    buttonId: ({ id }) => menuIdOf(id),
    items: (member) => <MemberMenuItems member={member} mails={mails} onOpen={(dialog) => setOpen({ dialog, member })} />,
  }
  return (
    <>
      <SearchedRows rows={members} noun="members" placeholder="Name, email or role" textOf={textOf}>
        {(shown) => (
          <Table
            label="Members"
            columns={memberColumns(members.some(({ factors }) => factors !== null))}
            rows={shown}
            {...(roles.length > 0 && { menu })}
          />
        )}
      </SearchedRows>
      {Dialog && open ? <Dialog member={open.member} roles={roles} onClose={close} onDone={done} /> : null}
    </>
  )
}

/** Offered only where Gatehouse sends no mail. */
function ChangeEmail({ member: { id, name, email }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Change email"
      description={<p>{name} signs in with the new address. Their sessions are signed out, and they are notified.</p>}
      action={changeMemberEmail}
      label="Change email"
      message={() => `The address of ${name} was changed.`}
    >
      <Field name="email" label="New email" hint={`Currently ${email}.`}>
        {(control) => <Input {...control} type="email" required maxLength={254} autoComplete="off" />}
      </Field>
    </MemberForm>
  )
}

function MembershipEnd({ member: { id, name, endsAt }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="End of the membership"
      description={<p>After that day {name} is signed out and cannot sign in. Their own connections and backup targets are frozen.</p>}
      action={setMembershipEnd}
      label="Set end"
      message={() => `The membership of ${name} was changed.`}
    >
      <TimeField
        kind="date"
        name="endsOn"
        label="Last day"
        optional
        hint="The membership ends with this day (UTC). Leave it empty for no end."
        defaultValue={endsAt?.slice(0, 10)}
      />
    </MemberForm>
  )
}

/** Makes a reset link and shows it once. */
function ResetLink({ member: { id, name, email }, onClose, onDone }: MemberDialogProps) {
  const [link, setLink] = useState<string | null>(null)
  if (link !== null) {
    const description = <p>Give it to {email} only. It works once, within one hour, and is not shown again.</p>
    return <LinkDialog title="Copy the reset link" description={description} link={link} onClose={onDone} />
  }
  return (
    <MemberForm
      memberId={id}
      onClose={onClose}
      onDone={(data) => setLink(data.link)}
      title="Reset password"
      description={
        <p>The holder of the link sets a new password for {name}. That ends all their sessions, and they and every owner are notified.</p>
      }
      action={createResetLink}
      label="Create link"
      message={() => `A reset link for ${name} was created.`}
    />
  )
}

function ChangeRole({ member: { id, name, role }, roles, onClose, onDone }: MemberDialogProps) {
  const [chosen, setChosen] = useState<string>(role)
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Change role"
      description={
        <p>
          The role of {name} changes immediately, in open pages too. Whoever becomes a guest loses all access until you add some.{' '}
          <Link
            href={`/reach?of=member&id=${id}&if=changeRole&member=${id}&role=${chosen}`}
            className="text-accent underline hover:text-accent-hover"
          >
            See what this changes
          </Link>
          .
        </p>
      }
      action={changeRole}
      label="Change role"
      message={(data) => `The role of ${name} was changed.${formatFrozen(data)}`}
    >
      <RoleField roles={roles} start={role} onChange={setChosen} />
    </MemberForm>
  )
}

type MemberDialog = 'role' | 'end' | 'disable' | 'enable' | 'remove' | 'reset' | 'email'

/** The id of the menu's button. */
const menuIdOf = (memberId: string): string => `menu-${memberId}`

type MemberMenuProps = { member: MemberView; mails: boolean; onOpen: (dialog: MemberDialog) => void }

/** The items of a member's menu, or why the reader may not change them. */
function MemberMenuItems({ member: { id, role, changeable, lastOwner, state, you }, mails, onOpen }: MemberMenuProps) {
  const traces = (
    <>
      <MenuLink href={`/team/${id}/access`}>Access</MenuLink>
      <MenuLink href={`/team/${id}`}>Keys and traces</MenuLink>
    </>
  )
  if (!changeable) {
    return (
      <>
        <MenuNote>Only an owner can change an owner.</MenuNote>
        {traces}
      </>
    )
  }
  if (lastOwner) {
    return (
      <>
        <MenuNote>The team needs an owner. Make another member an owner before this role can change.</MenuNote>
        {mails ? null : <MenuItem onSelect={() => onOpen('email')}>Change email</MenuItem>}
        {traces}
      </>
    )
  }
  return (
    <>
      <MenuItem onSelect={() => onOpen('role')}>Change role</MenuItem>
      <MenuItem onSelect={() => onOpen('end')}>Set end</MenuItem>
      {mails ? null : <MenuItem onSelect={() => onOpen('email')}>Change email</MenuItem>}
      {mails || role === 'owner' || state !== 'active' ? null : <MenuItem onSelect={() => onOpen('reset')}>Reset password</MenuItem>}
      {traces}
      {state === 'disabled' ? <MenuItem onSelect={() => onOpen('enable')}>Enable account</MenuItem> : null}
      {state === 'disabled' || you ? null : (
        <MenuItem danger onSelect={() => onOpen('disable')}>
          Disable account
        </MenuItem>
      )}
      <MenuItem danger onSelect={() => onOpen('remove')}>
        {you ? 'Leave team' : 'Remove member'}
      </MenuItem>
    </>
  )
}
