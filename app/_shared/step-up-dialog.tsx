'use client'

import { useState } from 'react'
import { Button } from '../_ui/button'
import { Dialog, DialogActions } from '../_ui/dialog'
import { FormStateContext } from '../_ui/form-state'
import { checkForm } from './check-form'
import { PasswordField } from './password-field'

type StepUpDialogProps = {
  /** The verb of the action, for the button. */
  label: string
  /** The last answer, and why a password is required; null if it is not. */
  answer: unknown
  wanted: string | null
  pending: boolean
  onPassword: (password: string) => void
}

/** Asks for the password over the page, which stays as it is, and sends the action again together with it. */
export function StepUpDialog({ label, answer, wanted, pending, onPassword }: StepUpDialogProps) {
  const [left, setLeft] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  const open = wanted !== null && left !== answer
  const errors: Record<string, string> = wanted !== null && tries > 0 ? { password: wanted } : {}
  return (
    <Dialog
      open={open}
      onOpenChange={() => setLeft(answer)}
      title="Confirm your password to continue"
      description="Enter your password. Your action then continues."
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
