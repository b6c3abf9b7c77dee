'use client'

import { useEffect, useState } from 'react'
import type { Retention } from '@/lib/portal/subjects/backup-plans/retention'
import { Field } from '../../_ui/field'
import { useFormState } from '../../_ui/form-state'
import { Input } from '../../_ui/input'

const fields = [
  ['keepDaily', 'Daily'],
  ['keepWeekly', 'Weekly'],
  ['keepMonthly', 'Monthly'],
] as const satisfies readonly (readonly [keyof Retention, string])[]

/** How many copies are kept. several: of each of several sites or servers. If saving the numbers deletes copies, asks for how many. */
export function RetentionFields({ retention, several }: { retention: Retention; several: boolean }) {
  return (
    <>
      <fieldset>
        <legend className="text-small font-semibold">{several ? 'Copies to keep of each' : 'Copies to keep'}</legend>
        <div className="mt-1 grid grid-cols-3 gap-3">
          {fields.map(([name, label]) => (
            <Field key={name} name={name} label={label}>
              {(control) => (
                <Input
                  defaultValue={String(retention[name])}
                  {...control}
                  required
                  inputMode="numeric"
                  pattern="[0-9]{1,3}"
                  maxLength={3}
                  autoComplete="off"
                />
              )}
            </Field>
          ))}
        </div>
        <p className="mt-1 text-small text-muted">
          The newest copy of as many days, weeks and months. Days without a copy don’t count. Older copies are deleted after each night.
        </p>
      </fieldset>
      <DeletionConfirm />
    </>
  )
}

/** Instead of the numbers, for a target from which old copies are not deleted. */
export const AllKept = () => (
  <p className="text-small text-muted">
    This target has no maintenance key, so all copies are kept. Replace its keys on the page Backup targets to have old ones deleted.
  </p>
)

/** Stays once it was asked for: the refusal disappears while the form is sent again. */
function DeletionConfirm() {
  const { errors } = useFormState()
  const isAsked = errors.confirmCount !== undefined
  const [wasAsked, setWasAsked] = useState(false)
  useEffect(() => {
    if (isAsked) setWasAsked(true)
  }, [isAsked])
  if (!isAsked && !wasAsked) return null
  return (
    <Field name="confirmCount" label="Copies to delete">
      {(control) => <Input {...control} inputMode="numeric" autoComplete="off" />}
    </Field>
  )
}
