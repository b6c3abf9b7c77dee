'use client'

import { usePathname } from 'next/navigation'
import { useState } from 'react'
import type { Askable } from '@/lib/portal/subjects/team/requests/askable'
import { minutesChoices } from '@/lib/text/access-requests'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import type { AccessPlace } from '../access/draft'
import { ActionForm } from '../action-form'
import { askForAccess } from './actions'
import { MinutesField, WhyField } from './ask-fields'
import { formatAsked, formatChoice } from './request-words'
import { accessRequestsAddress } from './use-access-requests'

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
  const page = usePathname()
  const [chosen, setChosen] = useState(() => (choices.find(({ id }) => id === what) ?? choices[0])?.id ?? '')
  const [minutes, setMinutes] = useState(String(minutesChoices[0]))
  const choice = choices.find(({ id }) => id === chosen)
  const done = () => {
    toast('You asked for access. The answer appears on this page.')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Ask for access"
      description={<p>The owners and admins who can approve it are notified. This page continues once somebody has.</p>}
    >
      <ActionForm action={askForAccess} refetch={[accessRequestsAddress]} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="place" value={`${place.kind} ${place.id}`} />
            <input type="hidden" name="page" value={page} />
            <Field name="what" label="What" hint={ceiling || undefined}>
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
            <MinutesField value={minutes} onChange={setMinutes} />
            <WhyField />
            {choice ? (
              <p className="rounded-sheet bg-accent-soft px-3.5 py-2.5 wrap-anywhere" aria-live="polite">
                Asks to {formatAsked({ ...choice, place, wanted: '', minutes: minutes === '' ? null : Number(minutes) })}.
              </p>
            ) : null}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending}>
                {pending ? 'Sending…' : 'Ask for access'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
