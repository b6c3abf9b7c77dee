'use client'

import { useState } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { FormStateContext } from '../../_ui/form-state'
import { showProblem } from '../access-requests/held'
import { checkForm } from '../forms/check-form'
import { StepUpField, waysIn } from './step-up-field'

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
