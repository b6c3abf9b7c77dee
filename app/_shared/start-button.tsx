'use client'

import { startTransition, useActionState, useEffect, useRef } from 'react'
import { Button, type ButtonLook } from '../_ui/button'
import { toast } from '../_ui/toast'
import type { Answered, DataOf, FormAction } from './action-form'
import { resumable } from './session/sign-in-asked'
import { StepUpDialog } from './step-up-dialog'
import { useRequestId } from './use-request-id'

type StartButtonProps<Result extends Answered> = {
  action: FormAction<Result>
  target: Readonly<Record<string, string>>
  word: string
  look?: ButtonLook
  /** Why this person may not; the button is then shown, and says so. */
  refusal?: string | undefined
  onDone: (data: DataOf<Result>) => void
}

/** One click, one action. A refusal is said in a toast that stays; where the password is wanted first, a dialog asks for it. */
export function StartButton<Result extends Answered>({
  action,
  target,
  word,
  look = 'primary',
  refusal,
  onDone,
}: StartButtonProps<Result>) {
  const [answer, send, pending] = useActionState<Result | null, FormData>(resumable(action), null)
  const requestId = useRequestId(answer)
  const done = useRef(onDone)
  done.current = onDone
  const wanted = passwordWanted(answer)
  useEffect(() => {
    if (answer?.ok) done.current(answer.data)
    else if (answer && wanted === null) toast.error(answer.problem.sentence, { duration: Number.POSITIVE_INFINITY, closeButton: true })
  }, [answer, wanted])
  const start = (password?: string) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(target)) form.set(name, value)
    if (password !== undefined) form.set('password', password)
    form.set('requestId', requestId())
    startTransition(() => send(form))
  }
  return (
    <>
      <Button
        look={look}
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        disabled={pending}
        onClick={() => (refusal === undefined ? start() : toast(refusal))}
      >
        {word}
      </Button>
      <StepUpDialog word={word} answer={answer} wanted={wanted} pending={pending} onPassword={start} />
    </>
  )
}

/** Why the person has to give their password before this is done; null where that is not what is missing. */
const passwordWanted = (answer: Answered | null): string | null => (answer && !answer.ok && answer.problem.fields?.password) || null
