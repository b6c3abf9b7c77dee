'use client'

import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { refuseRequest } from '../../../_shared/access-requests/actions'
import { formatAsked } from '../../../_shared/access-requests/request-words'
import { ActionForm } from '../../../_shared/action-form'
import { Dialog, FormButtons } from '../../../_ui/dialog'
import { Field } from '../../../_ui/field'
import { Input } from '../../../_ui/input'
import { toast } from '../../../_ui/toast'

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
