'use client'

import { type FormEvent, type ReactNode, useActionState, useEffect, useMemo, useRef, useState } from 'react'
import { FormStateContext } from '../../_ui/form-state'
import { Refusal } from '../access-requests/held'
import {
  type Action,
  type AnyActionResult,
  type CallFailure,
  type CallOptions,
  callAction,
  type DataOf,
  type Fields,
  type FormAction,
} from './call-action'

type ActionState<Result extends AnyActionResult> = {
  /** The newest answer; null before the first. */
  answer: Result | CallFailure | null
  pending: boolean
  /** Sends, unless it is already being sent: then returns null. */
  send: (fields: Fields) => Promise<Result | CallFailure | null>
}

/**
 * One action of a component, with its newest answer. Not part of React's transitions: while one waits for an answer, or for the password
 * of an ended session, no other page could be shown.
 */
export function useAction<Result extends AnyActionResult>(action: Action<Result>, options?: CallOptions<Result>): ActionState<Result> {
  const [answer, setAnswer] = useState<Result | CallFailure | null>(null)
  const [pending, setPending] = useState(false)
  const sending = useRef(false)
  async function send(fields: Fields): Promise<Result | CallFailure | null> {
    if (sending.current) return null
    sending.current = true
    setPending(true)
    try {
      const newest = await callAction(action, fields, options)
      setAnswer(newest)
      return newest
    } catch (error) {
      // A redirect has to be thrown during rendering.
      setAnswer(() => {
        throw error
      })
      return null
    } finally {
      sending.current = false
      setPending(false)
    }
  }
  return { answer, pending, send }
}

/** Lets each field show its error and moves the focus to the first one. */
export function checkForm(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  form.querySelector<HTMLElement>(':invalid:not(fieldset)')?.focus()
  return false
}

type ActionFormProps<Result extends AnyActionResult> = CallOptions<Result> & {
  action: FormAction<Result>
  onDone?: (data: DataOf<Result>) => void
  className?: string
  children: (pending: boolean) => ReactNode
}

/**
 * A form for one server action: pending while it is sent, refusals next to their fields, focus on the first of them. Nothing typed is
 * ever lost, even if the session has ended meanwhile. Before the page's scripts run it is a plain form.
 */
export function ActionForm<Result extends AnyActionResult>({ action, onDone, className, children, ...options }: ActionFormProps<Result>) {
  // The state the page was rendered with, if the form was submitted before its scripts ran.
  const [drawn, sendByBrowser] = useActionState<Result | null, FormData>(action, null)
  const { answer: newest, pending, send } = useAction(action, options)
  const answer = newest ?? drawn
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
    // React empties a form after its action; sending it ourselves keeps its values.
    event.preventDefault()
    if (!pending && checkForm(event.currentTarget)) void send(new FormData(event.currentTarget))
  }

  return (
    <form ref={form} action={sendByBrowser} onSubmit={submit} className={className} aria-busy={pending}>
      <FormStateContext value={state}>
        {answer && !answer.ok ? (
          <div tabIndex={-1} data-refusal className="outline-none">
            <Refusal problem={answer.problem} />
          </div>
        ) : null}
        {children(pending)}
      </FormStateContext>
    </form>
  )
}

/** Once scripts run, the browser's own validation messages are shown next to their fields. */
export function useScriptedChecks(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    if (form.current) form.current.noValidate = true
  }, [form])
}

export function focusFirstError(form: HTMLFormElement | null): void {
  const target = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form?.querySelector<HTMLElement>('[data-refusal]')
  target?.focus()
}
