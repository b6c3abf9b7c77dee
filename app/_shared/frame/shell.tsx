import type { ReactNode } from 'react'
import { Announcer } from '../../_ui/announcer'
import { Toasts } from '../../_ui/toast'
import { ConnectionBar } from '../connections/connection-bar'
import { Keyboard } from '../keyboard/keyboard'
import { LeaveGuard } from '../leaving/hold'
import { NotificationBell } from '../notifications/bell'
import { OpeningPage } from '../opening/opening-page'
import { BeginAsked } from '../palette/begin-asked'
import { SearchButton } from '../palette/search-button'
import { ThemeSwitch } from '../preferences/theme-switch'
import { SignInAgain } from '../session/sign-in-again'
import { AccountMenu, MoreMenu } from './account-menu'
import { LazyParts } from './lazy-parts'
import { Mark } from './mark'
import { sidebarItem } from './nav-items'
import { SidebarLinks } from './sidebar-links'

type ShellProps = {
  teamName: string
  user: { name: string; email: string }
  role: string
  mayChange: boolean
  /** The build that rendered these pages. */
  build: string
  /** Whether this portal offers passkeys. */
  passkeys: boolean
  signOut: () => Promise<unknown>
  children: ReactNode
}

/** The frame of every page for signed-in users: a sidebar on the left, a bar at the bottom of a phone. */
export function Shell({ teamName, user, role, mayChange, build, passkeys, signOut, children }: ShellProps) {
  const account = { name: user.name, email: user.email, role, signOut }
  return (
    <div className="min-h-dvh tablet:flex">
      <a
        href="#content"
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-control focus-visible:bg-surface focus-visible:px-3 focus-visible:py-2"
      >
        Skip to content
      </a>
      <aside className="z-20 flex border-line bg-sunken max-tablet:fixed max-tablet:inset-x-0 max-tablet:bottom-0 max-tablet:border-t max-tablet:pb-[env(safe-area-inset-bottom)] tablet:sticky tablet:top-0 tablet:h-dvh tablet:w-14 tablet:shrink-0 tablet:flex-col tablet:gap-4 tablet:border-r tablet:px-2 tablet:py-[18px] desktop:w-58 desktop:px-3">
        <p className="flex items-center gap-2 px-2.5 font-semibold max-tablet:hidden tablet:max-desktop:justify-center tablet:max-desktop:px-0">
          <Mark className="size-5" />
          <span className="truncate tablet:max-desktop:sr-only">{teamName}</span>
        </p>
        <SearchButton className={`${sidebarItem()} max-tablet:order-1`} />
        <SidebarLinks />
        <div className="tablet:mt-auto tablet:flex tablet:flex-col max-tablet:hidden">
          <NotificationBell className={sidebarItem()} />
          <ThemeSwitch className={sidebarItem()} />
          <AccountMenu {...account} className={sidebarItem()} />
        </div>
        <MoreMenu {...account} className={`${sidebarItem()} max-tablet:order-2 tablet:hidden`} />
      </aside>
      <div className="relative min-w-0 flex-1 max-tablet:min-h-dvh max-tablet:pb-20">
        <ConnectionBar build={build} />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
        <OpeningPage />
      </div>
      <BeginAsked />
      <LeaveGuard />
      <Keyboard mayChange={mayChange} signOut={signOut} />
      <SignInAgain email={user.email} passkeys={passkeys} />
      <Toasts />
      <Announcer />
      <LazyParts />
    </div>
  )
}
