'use client'

import type { ReactNode } from 'react'
import type { MemberChanged } from '@/lib/portal/subjects/team/change-member'
import { ActionForm } from '../../_shared/forms/action-form'
import type { AnyActionResult, DataOf, FormAction } from '../../_shared/forms/call-action'
import { StepUpField } from '../../_shared/session/step-up-field'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { toast } from '../../_ui/toast'

type MemberFormProps<Result extends AnyActionResult> = {
  memberId: string
  title: string
  description: ReactNode
  action: FormAction<Result>
  /** The button: verb and noun. */
  label: string
  danger?: boolean
  /** The toast once it is done. */
  message: (data: DataOf<Result>) => string
  onClose: () => void
  onDone: (data: DataOf<Result>) => void
  children?: ReactNode
}

/** A dialog for one change to a member, which needs a fresh sign-in. */
export function MemberForm<Result extends AnyActionResult>(props: MemberFormProps<Result>) {
  const { memberId, title, description, action, label, danger = false, message, onClose, onDone, children } = props
  const done = (data: DataOf<Result>) => {
    toast(message(data))
    onDone(data)
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <ActionForm action={action} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="memberId" value={memberId} />
            {children}
            <StepUpField />
            <FormButtons label={label} danger={danger} pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** " 2 connections and one backup target of their own were frozen.", or nothing. */
export function formatFrozen({ frozen, frozenTargets }: MemberChanged): string {
  const parts = [formatNumber(frozen, 'connection'), formatNumber(frozenTargets, 'backup target')].filter((part) => part !== '')
  if (parts.length === 0) return ''
  const text = `${parts.join(' and ')} of their own ${frozen + frozenTargets === 1 ? 'was' : 'were'} frozen.`
  return ` ${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function formatNumber(number: number, noun: string): string {
  if (number === 0) return ''
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`
}
