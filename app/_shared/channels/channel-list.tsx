'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { ChannelView } from '@/lib/portal/delivery/view'
import { Button } from '../../_ui/button'
import { CodeBlock } from '../../_ui/code-block'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { EmptyState } from '../../_ui/empty-state'
import { toast } from '../../_ui/toast'
import { ChannelCard } from './channel-card'
import { type ChannelChoices, ChannelDialog } from './channel-dialog'

type ChannelListProps = { channels: readonly ChannelView[]; choices: ChannelChoices }

/** Where notifications are sent, and what became of the newest messages. */
export function ChannelList({ channels, choices }: ChannelListProps) {
  const router = useRouter()
  const [adding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const done = ({ secret: shown }: { secret: string | null }) => {
    setAdding(false)
    setSecret(shown)
    toast('The channel was added. Send a test to see that it works.')
    router.refresh()
  }
  return (
    <Section
      title="Channels"
      aside={
        <EarlyButton variant="primary" onClick={() => setAdding(true)}>
          Add channel
        </EarlyButton>
      }
    >
      {channels.length === 0 ? (
        <Card>
          <EmptyState title="No channels">
            <p>Notifications appear in Gatehouse only. A channel sends them by mail, to a webhook, to a chat or to ntfy.</p>
          </EmptyState>
        </Card>
      ) : (
        <ul className="flex flex-col gap-6">
          {channels.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} choices={choices} onChanged={() => router.refresh()} />
          ))}
        </ul>
      )}
      {adding ? <ChannelDialog choices={choices} onClose={() => setAdding(false)} onDone={done} /> : null}
      {secret === null ? null : (
        <Dialog
          open
          onOpenChange={() => setSecret(null)}
          title="Secret of the webhook"
          description={<p>Copy it now: it is not shown again. Your program checks the signature of each message with it.</p>}
        >
          <div className="mt-4 flex flex-col gap-4">
            <CodeBlock text={secret} what="secret" />
            <DialogActions>
              <Button variant="primary" onClick={() => setSecret(null)}>
                Done
              </Button>
            </DialogActions>
          </div>
        </Dialog>
      )}
    </Section>
  )
}
