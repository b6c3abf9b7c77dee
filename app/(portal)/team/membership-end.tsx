'use client'

import { TimeField } from '../../_ui/time-field'
import { setMembershipEnd } from './actions'
import type { MemberDialogProps } from './member-dialog'
import { MemberForm } from './member-form'

export function MembershipEnd({ member: { id, name, endsAt }, onClose, onDone }: MemberDialogProps) {
  return (
    <MemberForm
      onClose={onClose}
      onDone={onDone}
      memberId={id}
      title="End of the membership"
      description={<p>After that day {name} is signed out and cannot sign in. Their own connections and backup targets are frozen.</p>}
      action={setMembershipEnd}
      label="Set end"
      message={() => `The membership of ${name} was changed.`}
    >
      <TimeField
        kind="date"
        name="endsOn"
        label="Last day"
        optional
        hint="The membership ends with this day (UTC). Leave it empty for no end."
        defaultValue={endsAt?.slice(0, 10)}
      />
    </MemberForm>
  )
}
