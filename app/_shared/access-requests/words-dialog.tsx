'use client'

import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { minutesChoices } from '@/lib/text/access-requests'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import { ActionForm } from '../action-form'
import { askForAccess } from './actions'
import { MinutesField, WhyField } from './ask-fields'
import { accessRequestsAddress } from './use-access-requests'

/** What is needed in words, for how long and why. Whoever approves it chooses the servers and sites. */
export function WordsDialog({ onClose }: { onClose: () => void }) {
  const page = usePathname()
  const [minutes, setMinutes] = useState(String(minutesChoices[0]))
  const done = () => {
    toast('You asked for access. The answer appears on this page.')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Ask for access"
      description={<p>The owners and admins who can give it read this, and choose the servers and sites.</p>}
    >
      <ActionForm action={askForAccess} refetch={[accessRequestsAddress]} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="place" value="nowhere" />
            <input type="hidden" name="page" value={page} />
            <Field name="what" label="What you need" hint="Such as: the logs and backups of the shop of Northwind.">
              {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
            </Field>
            <MinutesField value={minutes} onChange={setMinutes} />
            <WhyField />
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
