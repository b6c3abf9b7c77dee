'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { CopyButton } from '../../_ui/copy-button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { ActionForm } from '../forms/action-form'
import type { AnyActionResult, CallOptions, DataOf, FormAction } from '../forms/call-action'
import { AskLeave, LeaveQuestion } from '../leaving/hold'
import { createPassword, NewPasswordField } from './new-password-field'

type ShownPasswordProps = {
  /** What was done with it. */
  title: string
  value: string
  onClose: () => void
  /** What remains to be done with it. */
  children?: ReactNode
}

const question = { title: 'Leave without the password?', description: 'It isn’t stored and won’t be shown again. You can set a new one.' }

/** A password that was just set, shown once. Only its button closes it without a question. */
export function ShownPassword({ title, value, onClose, children }: ShownPasswordProps) {
  const [leaving, setLeaving] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={() => setLeaving(true)}
      title={title}
      description="Copy the password now: it isn’t stored and won’t be shown again."
    >
      <div className="mt-4 mb-6 flex flex-col gap-3">
        <p className="flex items-center justify-between gap-2 rounded-control bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 font-mono text-code break-all">{value}</code>
          <CopyButton value={value} what="the password" />
        </p>
        {children}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
      <AskLeave {...question} />
      {leaving ? <LeaveQuestion {...question} onStay={() => setLeaving(false)} onLeave={onClose} /> : null}
    </Dialog>
  )
}

type SetPasswordProps<Result extends AnyActionResult> = CallOptions<Result> & {
  action: FormAction<Result>
  /** Hidden fields: whose password it is. */
  target: Readonly<Record<string, string>>
  /** The field of the action that takes the password. */
  field: 'pass' | 'password'
  /** Whom the password is for: "this user". */
  what: string
  /** Verb and object, for the title and the button. */
  title?: string
  description: ReactNode
  /** Further fields, above the password. */
  children?: ReactNode
  /** Why it cannot be sent as it is. */
  obstacle?: ReactNode
  /** What was done, and what remains to be done with the password. */
  describeDone: (answer: DataOf<Result>) => { title: string; next?: ReactNode }
  onClose: () => void
}

/** Sets a new password of an account on a server, then shows it once. */
export function SetPassword<Result extends AnyActionResult>({
  action,
  target,
  field,
  what,
  title = 'Set password',
  description,
  children,
  obstacle = null,
  describeDone,
  onClose,
  ...options
}: SetPasswordProps<Result>) {
  const [password, setPassword] = useState(createPassword)
  const [done, setDone] = useState<{ title: string; next?: ReactNode } | null>(null)
  if (done) {
    return (
      <ShownPassword title={done.title} value={password} onClose={onClose}>
        {done.next}
      </ShownPassword>
    )
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <ActionForm action={action} {...options} onDone={(answer) => setDone(describeDone(answer))} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            {Object.entries(target).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            {children}
            <NewPasswordField name={field} what={what} value={password} onChange={setPassword} />
            {pending ? null : obstacle}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending || obstacle !== null}>
                {pending ? 'Saving…' : title}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
