'use client'

import { type FormEvent, type ReactNode, startTransition, useActionState, useEffect, useMemo, useRef } from 'react'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { FormStateContext } from '../_ui/form-state'
import { Notice } from '../_ui/notice'
import { checkForm } from './check-form'
import { askToSignIn, isSignedOut } from './session/sign-in-asked'
import { useRequestId } from './use-request-id'

/** What an action answers; `values` come back from forms that also work without scripts. */
export type Answered = Outcome<unknown> & { values?: Readonly<Record<string, string>> }

export type FormAction<Result extends Answered> = (previous: Awaited<Result> | null, form: FormData) => Promise<Result>

export type DataOf<Result extends Answered> = Extract<Result, { ok: true }>['data']

type ActionFormProps<Result extends Answered> = {
  action: FormAction<Result>
  onDone?: (data: DataOf<Result>) => void
  className?: string
  children: (pending: boolean) => ReactNode
}

/**
 * A form for one server action: pending while it is sent, refusals beside their fields, focus on the first of them,
 * and nothing typed is ever lost, also where the session has ended meanwhile. Before the page's scripts run it is a plain form.
 */
export function ActionForm<Result extends Answered>({ action, onDone, className, children }: ActionFormProps<Result>) {
  const [answer, send, pending] = useActionState<Result | null, FormData>(action, null)
  const requestId = useRequestId(answer)
  const submitForm = useResend(answer, send)
  const form = useRef<HTMLFormElement>(null)
  const done = useRef(onDone)
  done.current = onDone
  useScriptedChecks(form)
  const state = useMemo(
    () => ({ pending, errors: (answer && !answer.ok && answer.problem.fields) || {}, values: answer?.values ?? {} }),
    [answer, pending],
  )

  useEffect(() => {
    if (!answer) return
    if (answer.ok) done.current?.(answer.data)
    else focusFirstError(form.current)
  }, [answer])

  function submit(event: FormEvent<HTMLFormElement>) {
    // React empties a form after its action; sending it ourselves keeps what was typed.
    event.preventDefault()
    if (pending || !checkForm(event.currentTarget)) return
    const filled = new FormData(event.currentTarget)
    filled.set('requestId', requestId())
    submitForm(filled)
  }

  return (
    <form ref={form} action={send} onSubmit={submit} className={className} aria-busy={pending}>
      <FormStateContext value={state}>
        {answer && !answer.ok ? (
          <div tabIndex={-1} data-refusal className="outline-none">
            <Notice tone="danger" alert title={sayRefusal(answer.problem)} />
          </div>
        ) : null}
        {children(pending)}
      </FormStateContext>
    </form>
  )
}

/** Sends a form and, where the session has ended, the very same once more after the password was given over it. */
function useResend(answer: Answered | null, send: (form: FormData) => void): (form: FormData) => void {
  const sent = useRef<FormData | null>(null)
  useEffect(() => {
    const form = sent.current
    if (answer) sent.current = null
    if (!form || !isSignedOut(answer)) return
    void askToSignIn().then((signedIn) => signedIn && startTransition(() => send(form)))
  }, [answer, send])
  return (form) => {
    sent.current = form
    startTransition(() => send(form))
  }
}

/** Where single fields are refused, the reasons stand beside them. */
export const sayRefusal = (problem: Problem): string =>
  problem.code === 'invalid' && problem.fields ? 'Some fields need another look.' : problem.sentence

/** Once scripts run, refusals of the browser stand beside their fields instead of in its bubbles. */
export function useScriptedChecks(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    if (form.current) form.current.noValidate = true
  }, [form])
}

export function focusFirstError(form: HTMLFormElement | null): void {
  const target = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector<HTMLElement>('[data-refusal]')
  target?.focus()
}
