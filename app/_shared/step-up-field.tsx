'use client'

import { useState } from 'react'
import { useFormState } from '../_ui/form-state'
import { PasswordField } from './password-field'

/** Asks for the password, once an action has reported that the sign-in is not recent enough. */
export function StepUpField() {
  const refused = useFormState().errors.password !== undefined
  const [asked, setAsked] = useState(false)
  if (refused && !asked) setAsked(true)
  return asked ? <PasswordField label="Your password" autoComplete="current-password" /> : null
}
