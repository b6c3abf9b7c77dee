'use client'

import type { Outcome } from '@/lib/contract/problem'
import type { NotificationList } from '@/lib/portal/views/notifications/list'
import { callAction } from '../forms/call-action'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'
import { markAllRead, markRead } from './actions'

export type Notifications = {
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
