'use client'

import { useState } from 'react'
import type { ChannelSaved } from '@/lib/portal/delivery/change'
import type { ChannelView } from '@/lib/portal/delivery/view'
import { useTimeZone } from '../../_ui/clock'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { useFormState } from '../../_ui/form-state'
import { Input, Select } from '../../_ui/input'
import { TimeField } from '../../_ui/time-field'
import { Check } from '../access/access-fields'
import { ActionForm } from '../forms/action-form'
import { StepUpField } from '../session/step-up-field'
import { addChannel, changeChannel } from './actions'
import { type ChannelKind, kindNames } from './channel-words'

/** topics: what can be sent, by id. mails: whether Gatehouse can send mail. */
export type ChannelChoices = { keeper: 'own' | 'team'; topics: Readonly<Record<string, string>>; mails: boolean }

type ChannelDialogProps = {
  /** The channel to change; absent to add one. */
  channel?: ChannelView
  choices: ChannelChoices
  onClose: () => void
  onDone: (saved: ChannelSaved) => void
}

/** Where to send, what, and when not. The address of a channel stays; another one is another channel. */
export function ChannelDialog({ channel, choices, onClose, onDone }: ChannelDialogProps) {
  const browserZone = useTimeZone()
  const timeZone = channel?.timeZone ?? browserZone
  const kinds = (Object.keys(kindNames) as ChannelKind[]).filter((kind) => kind !== 'mail' || choices.mails)
  const [kind, setKind] = useState<ChannelKind>(channel?.kind ?? kinds[0] ?? 'webhook')
  const zone = `In the time zone ${timeZone.replaceAll('_', ' ')}.`
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={channel ? 'Change channel' : 'Add channel'}
      description={
        <p>
          {choices.keeper === 'team'
            ? 'It sends what you see yourself: everybody who reads it learns that.'
            : 'It sends your notifications, as far as you still see what they are about.'}
        </p>
      }
    >
      <ActionForm action={channel ? changeChannel : addChannel} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            {channel ? (
              <input type="hidden" name="channelId" value={channel.id} />
            ) : (
              <input type="hidden" name="keeper" value={choices.keeper} />
            )}
            <input type="hidden" name="timeZone" value={timeZone} />
            {channel ? null : (
              <>
                <Field name="kind" label="Send to">
                  {({ defaultValue: _, ...control }) => (
                    <Select
                      {...control}
                      value={kind}
                      onChange={(event) => setKind(kinds.find((each) => each === event.target.value) ?? kind)}
                    >
                      {kinds.map((each) => (
                        <option key={each} value={each}>
                          {kindNames[each]}
                        </option>
                      ))}
                    </Select>
                  )}
                </Field>
                <AddressFields kind={kind} keeper={choices.keeper} />
              </>
            )}
            <Field name="label" label="Name">
              {(control) => <Input defaultValue={channel?.label} {...control} required maxLength={80} autoComplete="off" />}
            </Field>
            <TopicFields chosen={channel?.topics ?? Object.keys(choices.topics)} topics={choices.topics} />
            <TimeField kind="time" name="digestAt" label="Daily summary at" optional hint={zone} defaultValue={channel?.digestAt} />
            <div className="flex flex-wrap gap-x-4 gap-y-3">
              <TimeField kind="time" name="quietFrom" label="Quiet from" optional defaultValue={channel?.quietFrom} />
              <TimeField kind="time" name="quietTo" label="Quiet until" optional defaultValue={channel?.quietTo} />
            </div>
            <p className="-mt-3 text-small text-muted">What happens in quiet hours is sent after them, in one message.</p>
            <StepUpField />
            <FormButtons label={channel ? 'Save' : 'Add channel'} busy="Saving…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

const hints: Readonly<Record<Exclude<ChannelKind, 'mail'>, string>> = {
  webhook: 'Gatehouse sends JSON, signed with a secret that is shown once.',
  slack: 'The address of an incoming webhook.',
  ntfy: 'The address of the topic, such as https://ntfy.sh/topic.',
}

function AddressFields({ kind, keeper }: { kind: ChannelKind; keeper: ChannelChoices['keeper'] }) {
  if (kind === 'mail')
    return keeper === 'own' ? null : (
      <Field key={kind} name="email" label="Email">
        {(control) => <Input {...control} type="email" required autoComplete="off" />}
      </Field>
    )
  return (
    <>
      <Field key={kind} name="url" label="Address" hint={hints[kind]}>
        {(control) => <Input {...control} code required maxLength={4096} autoComplete="off" spellCheck={false} />}
      </Field>
      {kind === 'ntfy' ? (
        <Field name="token" label="Access token" optional>
          {(control) => <Input {...control} code type="password" maxLength={200} autoComplete="off" />}
        </Field>
      ) : null}
    </>
  )
}

function TopicFields({ chosen: first, topics }: { chosen: readonly string[]; topics: Readonly<Record<string, string>> }) {
  const { errors } = useFormState()
  const [chosen, setChosen] = useState(first)
  const toggle = (topic: string) => setChosen((now) => (now.includes(topic) ? now.filter((each) => each !== topic) : [...now, topic]))
  return (
    <fieldset>
      <legend className="mb-1 text-small font-semibold">What</legend>
      <input type="hidden" name="topics" value={chosen.join(',')} />
      {Object.entries(topics).map(([topic, name]) => (
        <Check key={topic} label={name} checked={chosen.includes(topic)} onToggle={() => toggle(topic)} />
      ))}
      {errors.topics ? <p className="text-small text-danger">{errors.topics}</p> : null}
    </fieldset>
  )
}
