'use client'

import { useState } from 'react'
import { Button } from '../_ui/button'
import { Dialog, DialogActions } from '../_ui/dialog'
import { FormStateContext } from '../_ui/form-state'
import { checkForm } from './check-form'
import { PasswordField } from './password-field'

type StepUpDialogProps = {
  /** The verb of what was begun, for the button. */
  label: string
  /** What came back last, and why a password is wanted; null where none is. */
  answer: unknown
  wanted: string | null
  pending: boolean
  onPassword: (password: string) => void
}

/** Asks for the password over the page, which stays as it is, and sends what was begun once more together with it. */
export function StepUpDialog({ label, answer, wanted, pending, onPassword }: StepUpDialogProps) {
  const [left, setLeft] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  const open = wanted !== null && left !== answer
  const errors: Record<string, string> = wanted !== null && tries > 0 ? { password: wanted } : {}
  return (
    <Dialog
      open={open}
      onOpenChange={() => setLeft(answer)}
      title="Confirm that it is you"
      description="It is a while since you signed in. Enter your password, and what you began goes on."
    >
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (pending || !checkForm(event.currentTarget)) return
          setTries(tries + 1)
          onPassword(String(new FormData(event.currentTarget).get('password')))
        }}
      >
        <FormStateContext value={{ pending, errors: pending ? {} : errors, values: {} }}>
          <PasswordField label="Your password" autoComplete="current-password" />
        </FormStateContext>
        <DialogActions>
          <Button onClick={() => setLeft(answer)}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={pending}>
            {pending ? 'Checking…' : label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
