'use client'

import { useState } from 'react'
import { Link } from '../../_ui/page-link'
import { changeRole } from './actions'
import type { MemberDialogProps } from './member-dialog'
import { formatFrozen, MemberForm } from './member-form'
import { RoleField } from './role-field'

export function ChangeRole({ member: { id, name, role }, roles, onClose, onDone }: MemberDialogProps) {
  const [chosen, setChosen] = useState<string>(role)
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="Change role"
      description={
        <p>
          The role of {name} changes immediately, in open pages too. Whoever becomes a guest loses all access until you add some.{' '}
          <Link
            href={`/reach?of=member&id=${id}&if=changeRole&member=${id}&role=${chosen}`}
            className="text-accent underline hover:text-accent-hover"
          >
            See what this changes
          </Link>
          .
        </p>
      }
      action={changeRole}
      label="Change role"
      message={(data) => `The role of ${name} was changed.${formatFrozen(data)}`}
    >
      <RoleField roles={roles} start={role} onChange={setChosen} />
    </MemberForm>
  )
}
