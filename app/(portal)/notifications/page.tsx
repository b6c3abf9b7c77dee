import type { Metadata } from 'next'
import { requireActor } from '@/lib/portal/identity/actor'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { NotificationsView } from './notifications-view'

export const metadata: Metadata = { title: 'Notifications' }

export default async function NotificationsPage() {
  const actor = await requireActor()
  return <NotificationsView first={{ ok: true, data: await listNotifications(actor) }} />
}
