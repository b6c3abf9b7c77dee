'use client'

import { refuseRequest } from '@/app/_shared/access-requests/actions'
import { formatAsked } from '@/app/_shared/access-requests/request-words'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { toast } from '@/app/_ui/toast'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'

export function RefuseDialog({ request, onClose, onDone }: { request: AccessRequestView; onClose: () => void; onDone: () => void }) {
  const done = () => {
    toast('The request was refused.')
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Refuse access"
      firstField="reason"
      description={
        <p className="wrap-anywhere">
          {request.asker.name} asks to {formatAsked(request)}. They read the reason.
        </p>
      }
    >
      <ActionForm action={refuseRequest} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="accessRequestId" value={request.id} />
            <Field name="reason" label="Reason">
              {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
            </Field>
            <FormButtons label="Refuse" danger pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
