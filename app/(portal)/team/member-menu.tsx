'use client'

import type { MemberView } from '@/lib/portal/subjects/team/members'
import { MenuItem, MenuLink, MenuNote } from '../../_ui/menu'

export type MemberDialog = 'role' | 'end' | 'disable' | 'enable' | 'remove' | 'reset' | 'email'

/** The id of the menu's button. */
export const menuIdOf = (memberId: string): string => `menu-${memberId}`

type MemberMenuProps = { member: MemberView; mails: boolean; onOpen: (dialog: MemberDialog) => void }

/** The items of a member's menu, or why the reader may not change them. */
export function MemberMenuItems({ member: { id, role, changeable, lastOwner, state, you }, mails, onOpen }: MemberMenuProps) {
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
