'use client'

import { changeRole } from './actions'
import type { MemberDialogProps } from './member-dialog'
import { formatFrozen, MemberForm } from './member-form'
import { RoleField } from './role-field'

export function ChangeRole({ member: { id, name, role }, roles, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Change role"
      description={
        <p>The role of {name} changes immediately, in open pages too. Whoever becomes a guest loses all access until you add some.</p>
      }
      action={changeRole}
      label="Change role"
      message={(data) => `The role of ${name} was changed.${formatFrozen(data)}`}
    >
      <RoleField roles={roles} start={role} />
    </MemberForm>
  )
}
