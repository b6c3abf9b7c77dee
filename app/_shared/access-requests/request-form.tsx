'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { Askable } from '@/lib/portal/subjects/team/requests/askable'
import { formatMinutes, minutesChoices } from '@/lib/text/access-requests'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import type { AccessPlace } from '../access/draft'
import { ActionForm } from '../forms/action-form'
import { askForAccess } from './actions'
import { accessRequestsAddress, formatAsked, formatChoice, formatLenders } from './requests'

type RequestFormProps = {
  /** As the action reads it. */
  place: string
  description: string
  minutes: string
  onMinutes: (minutes: string) => void
  /** The field that says what is asked for. */
  what: ReactNode
  /** What is asked, in a sentence. */
  sentence?: ReactNode
  onClose: () => void
}

/** Asks for access: what, for how long and why. */
function RequestForm({ place, description, minutes, onMinutes, what, sentence, onClose }: RequestFormProps) {
  const page = usePathname()
  const done = () => {
    toast('You asked for access. The answer appears on this page.')
    onClose()
  }
  return (
    <Dialog open onOpenChange={onClose} title="Ask for access" description={<p>{description}</p>}>
      <ActionForm action={askForAccess} refetch={[accessRequestsAddress]} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="place" value={place} />
            <input type="hidden" name="page" value={page} />
            {what}
            <MinutesField value={minutes} onChange={onMinutes} />
            <WhyField />
            {sentence}
            <FormButtons label="Ask for access" busy="Sending…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** For how long. value: minutes as the form sends them, empty for no end. */
const MinutesField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Field name="minutes" label="How long" hint="From the approval on.">
    {({ defaultValue: _, ...control }) => (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {minutesChoices.map((each) => (
          <option key={each} value={each ?? ''}>
            {capital(formatMinutes(each))}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const WhyField = () => (
  <Field name="why" label="Reason">
    {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
  </Field>
)

type AskDialogProps = {
  place: AccessPlace
  choices: readonly Askable[]
  /** The id of the choice to begin with. */
  what: string
  /** Why other things cannot be asked for; empty if nothing is left out. */
  ceiling: string
  onClose: () => void
}

/** What, for how long and why. A sentence says what is asked before it is sent. */
export function AskDialog({ place, choices, what, ceiling, onClose }: AskDialogProps) {
  const [chosen, setChosen] = useState(() => (choices.find(({ id }) => id === what) ?? choices[0])?.id ?? '')
  const [minutes, setMinutes] = useState(String(minutesChoices[0]))
  const choice = choices.find(({ id }) => id === chosen)
  return (
    <RequestForm
      place={`${place.kind} ${place.id}`}
      description="Those who can approve it are notified. This page continues once somebody has."
      minutes={minutes}
      onMinutes={setMinutes}
      what={
        <Field name="what" label="What" hint={ceiling === '' ? undefined : `Not everything is listed. ${ceiling}`}>
          {({ defaultValue: _, ...control }) => (
            <Select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
              {choices.map((each) => (
                <option key={each.id} value={each.id}>
                  {formatChoice(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      }
      sentence={
        choice ? (
          <p className="rounded-sheet bg-accent-soft px-3.5 py-2.5 wrap-anywhere" aria-live="polite">
            Asks to {formatAsked({ ...choice, place, wanted: '', minutes: minutes === '' ? null : Number(minutes) })}.
            {choice.lenders.length === 0 ? null : ` It takes a connection that ${formatLenders(choice.lenders)} you for it.`}
          </p>
        ) : null
      }
      onClose={onClose}
    />
  )
}

/** What is needed in words, for how long and why. Whoever approves it chooses the servers and sites. */
export function WordsDialog({ onClose }: { onClose: () => void }) {
  const [minutes, setMinutes] = useState(String(minutesChoices[0]))
  return (
    <RequestForm
      place="nowhere"
      description="The owners and admins who can give it read this, and choose the servers and sites."
      minutes={minutes}
      onMinutes={setMinutes}
      what={
        <Field name="what" label="What you need" hint="Such as: the logs and backups of the shop of Northwind.">
          {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
        </Field>
      }
      onClose={onClose}
    />
  )
}
