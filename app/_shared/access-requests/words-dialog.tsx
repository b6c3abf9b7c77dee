'use client'

import { useState } from 'react'
import { minutesChoices } from '@/lib/text/access-requests'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { RequestForm } from './request-form'

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
