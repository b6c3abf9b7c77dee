import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ChannelList } from '@/app/_shared/channels/channel-list'
import { mostMessages } from '@/app/_shared/channels/channel-words'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { may } from '@/lib/portal/access/roles'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { teamTopics } from '@/lib/portal/delivery/topics'
import { listTeamChannels } from '@/lib/portal/delivery/view'
import { requireActor } from '@/lib/portal/identity/actor'

export const metadata: Metadata = { title: 'Team channels' }

/** messages: of which channel all are shown. */
type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Where the team's notifications are sent, such as a chat that everybody reads. */
export default async function TeamChannelsPage({ searchParams }: Search) {
  const actor = await requireActor()
  if (!may(actor.role, 'team', 'change')) notFound()
  const { messages } = await searchParams
  const channels = await listTeamChannels(actor, { channelId: String(messages), most: mostMessages })
  return (
    <>
      <PageHead trail={[{ href: '/team', name: 'Team' }]} title="Team channels" />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          A channel of the team sends the notifications of the member who set it up, as far as that member sees what they are about.
        </p>
        <ChannelList channels={channels} choices={{ keeper: 'team', topics: teamTopics, mails: sendsMail() }} />
      </PageBody>
    </>
  )
}
