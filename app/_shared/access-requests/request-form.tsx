'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { formatMinutes, minutesChoices } from '@/lib/text/access-requests'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import { ActionForm } from '../forms/action-form'
import { askForAccess } from './actions'
import { accessRequestsAddress } from './use-access-requests'

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
export function RequestForm({ place, description, minutes, onMinutes, what, sentence, onClose }: RequestFormProps) {
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
