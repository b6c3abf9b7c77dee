'use client'

import { startTransition, useActionState, useEffect, useRef } from 'react'
import { toast } from 'sonner'
import { Button, type ButtonLook } from '../_ui/button'
import type { Answered, DataOf, FormAction } from './action-form'
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

/** One click, one action. A refusal is said in a toast that stays. */
export function StartButton<Result extends Answered>({
  action,
  target,
  word,
  look = 'primary',
  refusal,
  onDone,
}: StartButtonProps<Result>) {
  const [answer, send, pending] = useActionState<Result | null, FormData>(action, null)
  const requestId = useRequestId(answer)
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    if (answer?.ok) done.current(answer.data)
    else if (answer) toast.error(answer.problem.sentence, { duration: Number.POSITIVE_INFINITY, closeButton: true })
  }, [answer])
  return (
    <Button
      look={look}
      aria-disabled={refusal !== undefined || undefined}
      title={refusal}
      disabled={pending}
      onClick={() => {
        if (refusal !== undefined) {
          toast(refusal)
          return
        }
        const form = new FormData()
        for (const [name, value] of Object.entries(target)) form.set(name, value)
        form.set('requestId', requestId())
        startTransition(() => send(form))
      }}
    >
      {word}
    </Button>
  )
}
