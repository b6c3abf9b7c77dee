'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Card, Section } from '@/app/_ui/section'
import type { ChannelView } from '@/lib/portal/delivery/view'
import { Button } from '../../_ui/button'
import { CodeBlock } from '../../_ui/code-block'
import { Dialog, DialogActions, FormButtons } from '../../_ui/dialog'
import { EarlyButton } from '../../_ui/early-button'
import { EmptyState } from '../../_ui/empty-state'
import { Notice } from '../../_ui/notice'
import { StateChip } from '../../_ui/state-chip'
import { toast } from '../../_ui/toast'
import { ActionForm } from '../forms/action-form'
import { StartButton } from '../forms/start-button'
import { removeChannel, takeOverChannel, testChannel, turnChannel } from './actions'
import { type ChannelChoices, ChannelDialog } from './channel-dialog'
import { formatAddress, formatSettings, stateOf } from './channel-words'
import { DeliveryTable, showSent } from './delivery-table'

type ChannelCardProps = { channel: ChannelView; choices: ChannelChoices; onChanged: () => void }

/** One channel: what it sends, whether it works, its newest messages. */
function ChannelCard({ channel, choices, onChanged }: ChannelCardProps) {
  const [changing, setChanging] = useState(false)
  const { id, label } = channel
  const done = () => {
    setChanging(false)
    toast('The channel was changed.')
    onChanged()
  }
  return (
    <li className="flex flex-col gap-2">
      <Card>
        <div className="flex flex-col gap-3 px-4 py-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
            <h3 className="min-w-0 font-semibold wrap-anywhere">{label}</h3>
            <StateChip {...stateOf(channel)} />
          </div>
          <p className="wrap-anywhere text-muted">{formatAddress(channel)}</p>
          <p className="text-small wrap-anywhere text-muted">{formatSettings(channel, choices.topics).join(' · ')}</p>
          <SeenAs channel={channel} onChanged={onChanged} />
          <Buttons channel={channel} onChange={() => setChanging(true)} onChanged={onChanged} />
          {channel.deliveries.length === 0 ? <p className="text-small text-muted">No messages yet.</p> : null}
        </div>
      </Card>
      <DeliveryTable channel={channel} onSent={onChanged} />
      {changing ? <ChannelDialog key={id} channel={channel} choices={choices} onClose={() => setChanging(false)} onDone={done} /> : null}
    </li>
  )
}

type PartProps = Pick<ChannelCardProps, 'channel' | 'onChanged'>

function SeenAs({ channel: { id, label, seesAs }, onChanged }: PartProps) {
  if (seesAs === null) return null
  if (seesAs.self) return <p className="text-small text-muted">It sends what you can see.</p>
  const takeOver = (
    <StartButton
      action={takeOverChannel}
      target={{ channelId: id }}
      label="Take over"
      variant="outline"
      message={() => `From now on ${label} sends what you can see.`}
      onDone={onChanged}
    />
  )
  return seesAs.name === null ? (
    <Notice tone="warn" title="Whoever set it up is no longer a member, so nothing is sent." action={takeOver}>
      What happens until you take it over is kept for a week, and then sent as far as you see it.
    </Notice>
  ) : (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-small text-muted">
      <span>It sends what {seesAs.name} can see.</span>
      {takeOver}
    </div>
  )
}

function Buttons({ channel, onChange, onChanged }: PartProps & { onChange: () => void }) {
  const { id, label, off, seesAs } = channel
  const hasLeft = seesAs !== null && seesAs.name === null
  const target = { channelId: id }
  return (
    <div className="flex flex-wrap gap-2">
      {hasLeft ? null : (
        <StartButton
          action={testChannel}
          target={target}
          label="Send test"
          variant="outline"
          onDone={(sent) => {
            showSent(sent)
            onChanged()
          }}
        />
      )}
      <EarlyButton onClick={onChange}>Change</EarlyButton>
      <StartButton
        action={turnChannel}
        target={{ ...target, on: off === null ? 'no' : 'yes' }}
        label={off === null ? 'Turn off' : 'Turn on'}
        variant="outline"
        message={() => `${label} was turned ${off === null ? 'off' : 'on'}.`}
        onDone={onChanged}
      />
      <RemoveChannel channel={channel} onDone={onChanged} />
    </div>
  )
}

/** Asks first: nobody can show its address again. */
function RemoveChannel({ channel, onDone }: { channel: ChannelView; onDone: () => void }) {
  const [asking, setAsking] = useState(false)
  const { id, label } = channel
  const done = () => {
    setAsking(false)
    toast(`${label} was removed.`)
    onDone()
  }
  return (
    <>
      <EarlyButton variant="danger" onClick={() => setAsking(true)}>
        Remove
      </EarlyButton>
      {asking ? (
        <Dialog
          open
          onOpenChange={setAsking}
          title="Remove channel"
          description={
            <p className="wrap-anywhere">
              {label} sends nothing any more, not even what waits. Its address and the list of its messages are deleted:{' '}
              {formatAddress(channel)}.
            </p>
          }
        >
          <ActionForm action={removeChannel} onDone={done} className="mt-4 flex flex-col gap-4">
            {(pending) => (
              <>
                <input type="hidden" name="channelId" value={id} />
                <FormButtons label="Remove channel" busy="Removing…" danger pending={pending} onCancel={() => setAsking(false)} />
              </>
            )}
          </ActionForm>
        </Dialog>
      ) : null}
    </>
  )
}

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
