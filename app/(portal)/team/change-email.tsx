'use client'

import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { changeMemberEmail } from './actions'
import type { MemberDialogProps } from './member-dialog'
import { MemberForm } from './member-form'

/** Offered only where Gatehouse sends no mail. */
export function ChangeEmail({ member: { id, name, email }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Change email"
      description={<p>{name} signs in with the new address. Their sessions are signed out, and they are notified.</p>}
      action={changeMemberEmail}
      label="Change email"
      message={() => `The address of ${name} was changed.`}
    >
      <Field name="email" label="New email" hint={`Currently ${email}.`}>
        {(control) => <Input {...control} type="email" required maxLength={254} autoComplete="off" />}
      </Field>
    </MemberForm>
  )
}
