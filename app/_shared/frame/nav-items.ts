import { clsx } from 'clsx'
import {
  Archive,
  Bell,
  CircleUserRound,
  Globe,
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Server,
  UserCheck,
  Users,
} from 'lucide-react'

/** A named page of the portal: sidebar, menus, palette and shortcuts are built from these. */
export type NavItem = {
  href: string
  name: string
  Icon: LucideIcon
  /** Where its link is: always visible, in the sidebar but under More on a phone, or in the account menu. */
  link: 'bar' | 'rail' | 'account'
  /** The letter after G that goes there. */
  letter?: string
  /** Further words to find it by. */
  also: string
}

export const navItems: readonly NavItem[] = [
  { href: '/', name: 'Home', Icon: House, link: 'bar', letter: 'h', also: 'attention start overview' },
  { href: '/servers', name: 'Servers', Icon: Server, link: 'bar', letter: 's', also: 'machines hosts list' },
  {
    href: '/sites',
    name: 'Sites',
    Icon: Globe,
    link: 'bar',
    letter: 'w',
    also: 'websites domains web list aliases second domain staging push live',
  },
  { href: '/backups', name: 'Backups', Icon: Archive, link: 'rail', letter: 'b', also: 'backups copies elsewhere restore late nightly' },
  { href: '/jobs', name: 'Jobs', Icon: ListChecks, link: 'bar', letter: 'j', also: 'installs progress log' },
  { href: '/keys', name: 'Connections', Icon: KeyRound, link: 'rail', letter: 'k', also: 'connections services api key keys token' },
  { href: '/team', name: 'Team', Icon: Users, link: 'rail', letter: 't', also: 'members people roles invite invitations users' },
  { href: '/activity', name: 'Activity', Icon: ScrollText, link: 'rail', letter: 'a', also: 'record audit history who' },
  { href: '/notifications', name: 'Notifications', Icon: Bell, link: 'account', also: 'bell unread news alerts' },
  { href: '/approvals', name: 'Approvals', Icon: UserCheck, link: 'account', also: 'second person waiting held requests two people' },
  { href: '/account', name: 'Account', Icon: CircleUserRound, link: 'account', also: 'password sessions devices profile time zone' },
]

/** One item of the sidebar: side by side at the bottom of a phone, icons on a tablet, with labels on a desktop. */
export const sidebarItem = (here = false) =>
  clsx(
    'flex min-w-0 flex-1 items-center gap-1 -outline-offset-2 max-tablet:h-14 max-tablet:flex-col max-tablet:justify-center max-tablet:text-chip',
    'tablet:h-[34px] tablet:w-full tablet:flex-none tablet:rounded-control tablet:border tablet:px-2.5 tablet:max-desktop:justify-center tablet:max-desktop:px-0 desktop:gap-2',
    here
      ? 'font-semibold text-ink tablet:border-line tablet:bg-surface max-tablet:text-accent'
      : 'text-muted hover:text-ink tablet:border-transparent',
  )
