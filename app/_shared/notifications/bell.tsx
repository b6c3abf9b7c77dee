'use client'

import { Bell } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Outcome } from '@/lib/contract/problem'
import type { NotificationList } from '@/lib/portal/views/notifications/list'
import { formatCount } from '../../_ui/count'
import { Menu, MenuItem, MenuLink, MenuNote } from '../../_ui/menu'
import { RelativeTime } from '../../_ui/relative-time'
import { callAction } from '../forms/call-action'
import { leavePage } from '../leaving/hold'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'
import { markAllRead, markRead } from './actions'

type Notifications = {
  read: ReadState<NotificationList>
  markOne: (id: string) => void
  markAll: () => void
}

/** The user’s notifications, refreshed as often as the counts of the sidebar. */
export function useNotifications(first?: Outcome<NotificationList>): Notifications {
  const read = useRead(portalRead('/api/notifications'), { everyMs: 15_000, ...(first && { first }) })
  return {
    read,
    markOne: (notificationId) => void callAction(markRead, { notificationId }).then(read.again),
    markAll: () => void callAction(markAllRead, {}).then(read.again),
  }
}

const shown = 6

const emptyNote = ({ data, problem }: ReadState<unknown>): string =>
  data ? 'No notifications.' : problem ? 'Notifications could not be loaded.' : 'Loading…'

/** The newest notifications; on a phone, the page Notifications under More has them. */
export function NotificationBell({ className }: { className: string }) {
  const { read, markOne, markAll } = useNotifications()
  const router = useRouter()
  const { unread = 0, items = [] } = read.data ?? {}
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button type="button" aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'} className={className}>
          <span className="relative">
            <Bell aria-hidden size={16} strokeWidth={1.5} />
            {unread > 0 ? <UnreadDot /> : null}
          </span>
          <span className="rail-word">Notifications</span>
          <span className="ml-auto font-semibold max-desktop:hidden">{unread > 0 ? formatCount(unread) : ''}</span>
        </button>
      }
    >
      {items.length === 0 ? <MenuNote>{emptyNote(read)}</MenuNote> : null}
      {items.slice(0, shown).map(({ id, text, href, at, unread: fresh }) => (
        <MenuItem
          key={id}
          onSelect={() => {
            if (fresh) markOne(id)
            if (href) leavePage(() => router.push(href))
          }}
        >
          <span className="max-w-80 py-1.5">
            <span className={fresh ? 'line-clamp-3 font-semibold' : 'line-clamp-3'}>{text}</span>
            <span className="block text-small text-muted">
              <RelativeTime at={at} />
              {fresh ? <span className="sr-only">, unread</span> : null}
            </span>
          </span>
        </MenuItem>
      ))}
      <div className="mt-1 border-t border-line pt-1">
        {unread > 0 ? <MenuItem onSelect={markAll}>Mark all as read</MenuItem> : null}
        <MenuLink href="/notifications">All notifications</MenuLink>
      </div>
    </Menu>
  )
}

/** On an icon that leads to notifications, in a `relative` box. */
export const UnreadDot = () => <span aria-hidden className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-accent" />
