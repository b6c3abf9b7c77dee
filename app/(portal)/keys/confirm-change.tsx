'use client'

import type { ReactNode } from 'react'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { ConfirmDestroy } from '../../_shared/dialogs/confirm-destroy'
import type { AnyActionResult, DataOf, FormAction } from '../../_shared/forms/call-action'
import { StepUpField } from '../../_shared/session/step-up-field'
import { toast } from '../../_ui/toast'
import { useKeysChanged } from './use-keys-changed'

type ConfirmChangeProps<Result extends AnyActionResult> = {
  connection: ConnectionView
  onClose: () => void
  title: string
  /** What changes, and what stays. */
  description: ReactNode
  action: FormAction<Result>
  /** The message to show once it is done. */
  message: (data: DataOf<Result>) => string
  children?: ReactNode
}

/** A change to a connection that requires its typed name and a fresh sign-in. */
export function ConfirmChange<Result extends AnyActionResult>(props: ConfirmChangeProps<Result>) {
  const { connection, onClose, title, description, action, message, children } = props
  const changed = useKeysChanged()
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title={title}
      description={<p>{description}</p>}
      name={connection.label}
      action={action}
      target={{ connectionId: connection.id }}
      onDone={(data) => {
        toast(message(data))
        onClose()
        changed()
      }}
    >
      {children}
      <StepUpField />
    </ConfirmDestroy>
  )
}
