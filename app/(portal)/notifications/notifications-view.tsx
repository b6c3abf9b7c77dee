'use client'

import { Check } from 'lucide-react'
import { Card } from '@/app/_ui/section'
import type { Outcome } from '@/lib/contract/problem'
import type { NotificationList, NotificationView } from '@/lib/portal/views/notifications/list'
import { useNotifications } from '../../_shared/notifications/bell'
import { ReadError } from '../../_shared/reads/read-error'
import { Button, ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'

/** All notifications of the user, newest first. */
export function NotificationsView({ first }: { first: Outcome<NotificationList> }) {
  const { read, markOne, markAll } = useNotifications(first)
  const { unread = 0, items = [] } = read.data ?? {}
  return (
    <>
      <PageHead
        title="Notifications"
        actions={
          <>
            {unread > 0 ? <Button onClick={markAll}>Mark all as read</Button> : null}
            <ButtonLink href="/account/notifications">Channels</ButtonLink>
          </>
        }
      />
      <PageBody>
        <ReadError read={read} />
        {items.length === 0 ? (
          <Card>
            <EmptyState title="No notifications">
              <p>
                What you should know appears here, such as a server that cannot be reached or an API key that was refused. It is kept for 90
                days.
              </p>
            </EmptyState>
          </Card>
        ) : (
          <Card>
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <Line key={item.id} item={item} onRead={() => markOne(item.id)} />
              ))}
            </ul>
          </Card>
        )}
      </PageBody>
    </>
  )
}

function Line({ item: { text, href, at, unread }, onRead }: { item: NotificationView; onRead: () => void }) {
  const words = <span className={unread ? 'font-semibold wrap-anywhere' : 'wrap-anywhere'}>{text}</span>
  return (
    <li className="flex items-center gap-x-4 px-4 py-3">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${unread ? 'bg-accent' : ''}`} />
      <span className="min-w-0 flex-1">
        {href ? (
          <Link href={href} className="hover:underline" onClick={() => unread && onRead()}>
            {words}
          </Link>
        ) : (
          words
        )}
        <span className="block text-small text-muted">
          {unread ? <span className="sr-only">Unread, </span> : null}
          <RelativeTime at={at} />
        </span>
      </span>
      {unread ? (
        <Button variant="ghost" icon aria-label="Mark as read" title="Mark as read" onClick={onRead}>
          <Check aria-hidden size={16} strokeWidth={1.5} />
        </Button>
      ) : null}
    </li>
  )
}
