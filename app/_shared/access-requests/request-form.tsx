'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'
import { ActionForm } from '../forms/action-form'
import { askForAccess } from './actions'
import { MinutesField, WhyField } from './ask-fields'
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
