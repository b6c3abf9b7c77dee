import type { Metadata } from 'next'
import { ChannelList } from '@/app/_shared/channels/channel-list'
import { mostMessages } from '@/app/_shared/channels/channel-words'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { topics } from '@/lib/portal/delivery/topics'
import { listChannels } from '@/lib/portal/delivery/view'
import { requireActor } from '@/lib/portal/identity/actor'

export const metadata: Metadata = { title: 'Notification channels' }

/** messages: of which channel all are shown. */
type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Where a member's own notifications are sent. */
export default async function AccountNotificationsPage({ searchParams }: Search) {
  const actor = await requireActor()
  const { messages } = await searchParams
  const channels = await listChannels(actor, { channelId: String(messages), most: mostMessages })
  return (
    <>
      <PageHead trail={[{ href: '/account', name: 'Account' }]} title="Notification channels" />
      <PageBody>
        <ChannelList channels={channels} choices={{ keeper: 'own', topics, mails: sendsMail() }} />
      </PageBody>
    </>
  )
}
