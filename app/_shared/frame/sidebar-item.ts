import { clsx } from 'clsx'

/** One item of the sidebar: side by side at the bottom of a phone, icons on a tablet, with labels on a desktop. */
export const sidebarItem = (here = false) =>
  clsx(
    'flex min-w-0 flex-1 items-center gap-1 -outline-offset-2 max-tablet:h-14 max-tablet:flex-col max-tablet:justify-center max-tablet:text-chip',
    'tablet:h-[34px] tablet:w-full tablet:flex-none tablet:rounded-control tablet:border tablet:px-2.5 tablet:max-desktop:justify-center tablet:max-desktop:px-0 desktop:gap-2',
    here
      ? 'font-semibold text-ink tablet:border-line tablet:bg-surface max-tablet:text-accent'
      : 'text-muted hover:text-ink tablet:border-transparent',
  )
