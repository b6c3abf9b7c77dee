'use client'

import { useState } from 'react'
import { LinkDialog } from '../../_shared/dialogs/link-dialog'
import { createResetLink } from './actions'
import type { MemberDialogProps } from './member-dialog'
import { MemberForm } from './member-form'

/** Makes a reset link and shows it once. */
export function ResetLink({ member: { id, name, email }, onClose, onDone }: MemberDialogProps) {
  const [link, setLink] = useState<string | null>(null)
  if (link !== null) {
    const description = <p>Give it to {email} only. It works once, within one hour, and is not shown again.</p>
    return <LinkDialog title="Copy the reset link" description={description} link={link} onClose={onDone} />
  }
  return (
    <MemberForm
      memberId={id}
      onClose={onClose}
      onDone={(data) => setLink(data.link)}
      title="Reset password"
      description={
        <p>The holder of the link sets a new password for {name}. That ends all their sessions, and they and every owner are notified.</p>
      }
      action={createResetLink}
      label="Create link"
      message={() => `A reset link for ${name} was created.`}
    />
  )
}
