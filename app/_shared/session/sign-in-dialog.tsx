'use client'

import { usePathname } from 'next/navigation'
import { type FormEvent, useEffect, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { Problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { FormStateContext } from '../../_ui/form-state'
import { Input } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { callAction } from '../call-action'
import { checkForm } from '../check-form'
import { PasswordField } from '../password-field'
import { reportLink } from '../portal-link'
import { signInAgain } from './actions'
import { addReturnPath } from './add-return-path'
import { settleSignIn } from './sign-in-request'

/**
 * Shown over the form, which stays as it is. Not part of React's transitions: the form below may be waiting in one, and updates in
 * another would not be shown before that ends.
 */
export function SignInDialog({ email }: { email: string }) {
  const { mutate } = useSWRConfig()
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<Problem | null>(null)
  const place = usePathname()
  const [asked] = useState(place)
  // On another page the user could not see what would be sent.
  useEffect(() => {
    if (place !== asked) settleSignIn(false)
  }, [place, asked])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // In React's tree this form may be inside another form.
    event.stopPropagation()
    if (pending || !checkForm(event.currentTarget)) return
    const form = new FormData(event.currentTarget)
    setPending(true)
    const answer = await callAction(signInAgain, form, { repeatable: true })
    setPending(false)
    if (!answer.ok) return setRefusal(answer.problem)
    reportLink('up')
    settleSignIn(true)
    void mutate(() => true)
  }

  return (
    <Dialog
      open
      onOpenChange={() => settleSignIn(false)}
      title="Your session has ended"
      description="Sign in again to send what you entered. Nothing has been sent yet."
      firstField="password"
    >
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        <FormStateContext value={{ pending, errors: {}, values: {} }}>
          {refusal && !pending ? <Notice tone="danger" alert title={refusal.sentence} /> : null}
          <Field name="email" label="Email">
            {(control) => <Input {...control} type="email" readOnly autoComplete="username" value={email} />}
          </Field>
          <PasswordField label="Password" autoComplete="current-password" />
          <a href="/sign-in" onClick={addReturnPath} className="self-start text-small text-accent underline hover:text-accent-hover">
            Sign in as someone else
          </a>
        </FormStateContext>
        <DialogActions>
          <Button onClick={() => settleSignIn(false)}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {pending ? 'Signing in…' : 'Sign in and send'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
