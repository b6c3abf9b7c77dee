'use client'

import { KeyRound } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type FormEvent, useEffect, useState } from 'react'
import { useSWRConfig } from 'swr'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { FormStateContext } from '../../_ui/form-state'
import { Input } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { checkForm } from '../forms/action-form'
import { callAction } from '../forms/call-action'
import { CodeField } from '../forms/code-field'
import { reportLink } from '../frame/portal-link'
import { startPasskeySignIn } from '../passkeys/actions'
import { provePasskey } from '../passkeys/use-passkey'
import { PasswordField } from '../passwords/password-field'
import { signInAgain, signInAgainWithPasskey } from './actions'
import { addReturnPath, settleSignIn } from './sign-in-request'

/**
 * Shown over the form, which stays as it is. Not part of React's transitions: the form below may be waiting in one, and updates in
 * another would not be shown before that ends.
 */
export function SignInDialog({ email, passkeys }: { email: string; passkeys: boolean }) {
  const { mutate } = useSWRConfig()
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<Problem | null>(null)
  const [asksForCode, setAsksForCode] = useState(false)
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
    settle(await callAction(signInAgain, form, { repeatable: true }))
  }

  async function proveByPasskey() {
    setPending(true)
    const proven = await provePasskey(startPasskeySignIn)
    settle(proven.ok ? await callAction(signInAgainWithPasskey, { passkey: proven.data, email }, { repeatable: true }) : proven)
  }

  function settle(answer: Outcome<unknown>): void {
    setPending(false)
    if (!answer.ok) {
      refuse(answer.problem)
      return
    }
    reportLink('up')
    settleSignIn(true)
    void mutate(() => true)
  }

  /** The first refusal at the code only means that it is asked for next. */
  function refuse(problem: Problem): void {
    const first = !asksForCode && problem.fields?.code !== undefined
    if (first) setAsksForCode(true)
    setRefusal(first ? null : problem)
  }

  const errors = refusal?.fields ?? {}
  return (
    <Dialog
      open
      onOpenChange={() => settleSignIn(false)}
      title="Your session has ended"
      description="Sign in again to send what you entered. Nothing has been sent yet."
      firstField="password"
    >
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        <FormStateContext value={{ pending, errors: pending ? {} : errors, values: {} }}>
          {refusal && !pending && (!refusal.fields || errors.passkey) ? (
            <Notice tone="danger" alert title={errors.passkey ?? refusal.sentence} />
          ) : null}
          <Field name="email" label="Email">
            {(control) => <Input {...control} type="email" readOnly autoComplete="username" value={email} />}
          </Field>
          <PasswordField label="Password" autoComplete="current-password" />
          {asksForCode ? <CodeField autoFocus /> : null}
          {passkeys ? (
            <Button onClick={() => void proveByPasskey()} disabled={pending}>
              <KeyRound aria-hidden size={16} strokeWidth={1.5} />
              Use a passkey
            </Button>
          ) : null}
          <a href="/sign-in" onClick={addReturnPath} className="self-start text-small text-accent underline hover:text-accent-hover">
            Sign in as someone else
          </a>
        </FormStateContext>
        <FormButtons label="Sign in and send" busy="Signing in…" pending={pending} onCancel={() => settleSignIn(false)} />
      </form>
    </Dialog>
  )
}
