'use client'

import { type ReactNode, useState } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { FormStateContext, useFormState } from '../../_ui/form-state'
import { showProblem } from '../access-requests/held'
import { checkForm } from '../forms/action-form'
import { callAction } from '../forms/call-action'
import { CodeField } from '../forms/code-field'
import { askToConfirm } from '../passkeys/actions'
import { PasskeyButton } from '../passkeys/use-passkey'
import { PasswordField } from '../passwords/password-field'
import { signInAfresh } from './actions'

const ways = ['password', 'passkey', 'code', 'signIn'] as const
type Way = (typeof ways)[number]

/** The ways to confirm that a refusal names, the usual one first; empty if it is about something else. */
export const waysIn = (fields: Readonly<Record<string, string>> = {}): Way[] => ways.filter((way) => fields[way] !== undefined)

const links: Record<Way, string> = {
  password: 'Use your password',
  passkey: 'Use a passkey',
  code: 'Use a code',
  signIn: 'Sign in again',
}

/**
 * Asks the user to confirm who they are, once an action has reported that the sign-in is not recent enough. `ways`: those that it named, if
 * the form shows no errors yet.
 */
export function StepUpField({ ways: given = [] }: { ways?: readonly Way[] }) {
  const { errors } = useFormState()
  const named = given.length > 0 ? given : waysIn(errors)
  const [asked, setAsked] = useState<readonly Way[]>([])
  const [chosen, setChosen] = useState<Way | null>(null)
  // Later refusals only name the way that was tried.
  if (asked.length === 0 && named.length > 0) setAsked(named)
  const shown = chosen ?? asked[0]
  if (shown === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      {fields[shown]}
      {asked
        .filter((way) => way !== shown)
        .map((way) => (
          <button
            key={way}
            type="button"
            onClick={() => setChosen(way)}
            className="min-h-6 self-start rounded-control text-small text-accent underline hover:text-accent-hover"
          >
            {links[way]} instead
          </button>
        ))}
    </div>
  )
}

const fields: Record<Way, ReactNode> = {
  password: <PasswordField label="Your password" autoComplete="current-password" />,
  code: <CodeField hint="The six digits that your authenticator app shows now." />,
  passkey: <PasskeyButton label="Use a passkey" ask={askToConfirm} />,
  signIn: <SignInAfresh />,
}

/** For somebody who can confirm an action with nothing but a new sign-in: leads there, and back to this page. */
function SignInAfresh() {
  const leave = () => callAction(signInAfresh, { back: location.pathname + location.search + location.hash }, { repeatable: true })
  return (
    <div className="flex flex-col items-start gap-2">
      <p>Sign in again to continue. This page comes back afterwards, but not what you entered.</p>
      <Button onClick={() => void leave()}>Sign in again</Button>
    </div>
  )
}

/** Shows why an action failed, unless the user has to confirm who they are: that is what the dialog is for. */
export function showUnlessStepUp(problem: Problem): void {
  if (waysIn(problem.fields).length === 0) showProblem(problem)
}

type StepUpFormProps = {
  /** The verb of the action, for the button. */
  label: string
  /** The fields at which the last answer was refused: what may be given, then what was wrong. */
  refused: Readonly<Record<string, string>>
  pending: boolean
  onProof: (proof: Readonly<Record<string, string>>) => void
}

type StepUpDialogProps = Omit<StepUpFormProps, 'refused'> & { answer: unknown; refused: StepUpFormProps['refused'] | undefined }

/** Asks who the user is over the page, which stays as it is, and sends the action again together with the proof. */
export function StepUpDialog({ answer, refused = {}, ...form }: StepUpDialogProps) {
  const [left, setLeft] = useState<unknown>(null)
  const open = waysIn(refused).length > 0 && left !== answer
  const password = refused.password !== undefined
  return (
    <Dialog
      open={open}
      onOpenChange={() => setLeft(answer)}
      title={password ? 'Confirm your password to continue' : 'Confirm that it is you to continue'}
      description={password ? 'Enter your password. Your action then continues.' : 'Your action then continues.'}
    >
      <StepUpForm refused={refused} {...form} onCancel={() => setLeft(answer)} />
    </Dialog>
  )
}

/** Lives as long as the dialog is open. */
function StepUpForm({ label, refused, pending, onProof, onCancel }: StepUpFormProps & { onCancel: () => void }) {
  const [tried, setTried] = useState(false)
  const ways = waysIn(refused)
  return (
    <form
      noValidate
      className="group/proof mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (pending || !checkForm(event.currentTarget)) return
        setTried(true)
        const given = new FormData(event.currentTarget)
        onProof(Object.fromEntries([...given].map(([name, value]) => [name, String(value)])))
      }}
    >
      <FormStateContext value={{ pending, errors: tried && !pending ? refused : {}, values: {} }}>
        <StepUpField ways={ways} />
      </FormStateContext>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        {ways.includes('signIn') ? null : (
          // The button that asks for a passkey sends the form.
          <Button type="submit" variant="primary" disabled={pending} className="group-has-[input[name=passkey]]/proof:hidden">
            {pending ? 'Checking…' : label}
          </Button>
        )}
      </DialogActions>
    </form>
  )
}
