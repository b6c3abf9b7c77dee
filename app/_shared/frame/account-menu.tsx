'use client'

import { CircleHelp, CircleUserRound, Ellipsis, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { themeChoices } from '@/app/_shared/preferences/theme-switch'
import { countOf } from '../../_ui/count'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuNote } from '../../_ui/menu'
import { openOverlay } from '../keyboard/use-shortcuts'
import { UnreadDot, useNotifications } from '../notifications/bell'
import { usePreferences } from '../preferences/preferences'
import { signOutWith } from '../session/sign-out'
import { type NavItem, navItems } from './nav-items'

type AccountMenuProps = { name: string; email: string; role: string; signOut: () => Promise<unknown>; className: string }

/** The signed-in user, and signing out. */
export function AccountMenu({ className, ...account }: AccountMenuProps) {
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label="Account" className={className}>
          <CircleUserRound aria-hidden size={16} strokeWidth={1.5} />
          <span className="rail-word max-w-28 truncate">{account.name}</span>
        </button>
      }
    >
      <AccountItems {...account} links={navItems.filter(({ link }) => link === 'account')}>
        <MenuItem onSelect={() => openOverlay('shortcuts')}>
          <CircleHelp aria-hidden size={16} strokeWidth={1.5} />
          Keyboard shortcuts
        </MenuItem>
      </AccountItems>
    </Menu>
  )
}

/** What does not fit into the bar of a phone. */
export function MoreMenu({ className, ...account }: AccountMenuProps) {
  const { theme, change } = usePreferences()
  const { unread = 0 } = useNotifications().read.data ?? {}
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={className}>
          <span className="relative">
            <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
            {unread > 0 ? <UnreadDot /> : null}
          </span>
          <span className="rail-word">More</span>
          {unread > 0 ? <span className="sr-only">, {countOf(unread, 'unread notification')}</span> : null}
        </button>
      }
    >
      <AccountItems {...account} links={navItems.filter(({ link }) => link !== 'bar')}>
        <div className="my-1 border-y border-line py-1">
          <MenuChoice label="Theme" value={theme} choices={themeChoices} onChange={(next) => change({ theme: next })} />
        </div>
      </AccountItems>
    </Menu>
  )
}

type AccountItemsProps = Omit<AccountMenuProps, 'className'> & { links: readonly NavItem[]; children: ReactNode }

function AccountItems({ name, email, role, signOut, links, children }: AccountItemsProps) {
  return (
    <>
      <MenuNote>
        <span className="block font-semibold text-ink">{name}</span>
        <span className="block">{email}</span>
        <span className="block">Role: {role}</span>
      </MenuNote>
      <div className="pt-1">
        {links.map(({ href, name: label, Icon }) => (
          <MenuLink key={href} href={href}>
            <Icon aria-hidden size={16} strokeWidth={1.5} />
            {label}
          </MenuLink>
        ))}
        {children}
        <MenuItem onSelect={() => void signOutWith(signOut)}>
          <LogOut aria-hidden size={16} strokeWidth={1.5} />
          Sign out
        </MenuItem>
      </div>
    </>
  )
}
