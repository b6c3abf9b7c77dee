'use client'

import { useState } from 'react'
import type { Askable } from '@/lib/portal/subjects/team/requests/askable'
import { minutesChoices } from '@/lib/text/access-requests'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'
import type { AccessPlace } from '../access/draft'
import { RequestForm } from './request-form'
import { formatAsked, formatChoice, formatLenders } from './request-words'

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
