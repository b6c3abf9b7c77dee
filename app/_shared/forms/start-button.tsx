'use client'

import { useEffect, useRef } from 'react'
import type { ButtonVariant } from '../../_ui/button'
import { OfferedButton } from '../../_ui/early-button'
import { toast } from '../../_ui/toast'
import { StepUpDialog, showUnlessStepUp } from '../session/step-up-field'
import { useAction } from './action-form'
import type { AnyActionResult, CallOptions, DataOf, FormAction } from './call-action'

type StartButtonProps<Result extends AnyActionResult> = CallOptions<Result> & {
  action: FormAction<Result>
  target: Readonly<Record<string, string>>
  label: string
  /** Its accessible name, where several buttons have the same label. Begins with the label. */
  fullLabel?: string
  variant?: ButtonVariant
  /** Why this user may not; the button is then shown disabled with this reason. */
  refusal?: string | undefined
  /** The message to show once it is done, even if the button is gone by then. */
  message?: (data: DataOf<Result>) => string
  onDone: (data: DataOf<Result>) => void
}

/** One click, one action. A refusal is shown in a toast that stays; if the user has to confirm who they are first, a dialog asks. */
export function StartButton<Result extends AnyActionResult>({
  action,
  target,
  label,
  fullLabel,
  variant = 'primary',
  refusal,
  message,
  onDone,
  ...options
}: StartButtonProps<Result>) {
  const { answer, pending, send } = useAction(action, options)
  const done = useRef(onDone)
  done.current = onDone
  useEffect(() => {
    if (answer?.ok) done.current(answer.data)
  }, [answer])
  async function start(proof: Readonly<Record<string, string>> = {}): Promise<void> {
    const newest = await send({ ...target, ...proof })
    if (newest?.ok) message && toast(message(newest.data))
    else if (newest) showUnlessStepUp(newest.problem)
  }
  return (
    <>
      <OfferedButton variant={variant} refusal={refusal} disabled={pending} aria-label={fullLabel} onClick={() => void start()}>
        {label}
      </OfferedButton>
      <StepUpDialog
        label={label}
        answer={answer}
        refused={answer && !answer.ok ? answer.problem.fields : undefined}
        pending={pending}
        onProof={(proof) => void start(proof)}
      />
    </>
  )
}
