'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { MemberView } from '@/lib/portal/subjects/team/members'
import { SearchedRows } from '../../_shared/collection/searched-rows'
import type { RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { ChangeEmail } from './change-email'
import { ChangeRole } from './change-role'
import { DisableMember, EnableMember, RemoveMember } from './end-member'
import { memberColumns } from './member-columns'
import { type MemberDialog, MemberMenuItems, menuIdOf } from './member-menu'
import { MembershipEnd } from './membership-end'
import { ResetLink } from './reset-link'
import type { OfferedRole } from './role-field'
import { nameOfRole } from './role-names'

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
