'use client'

import { useState } from 'react'
import { useFormState } from '../_ui/form-state'
import { PasswordField } from './password-field'

/** Asks for one's password, once an action has said that the sign-in is too long ago for what it does. */
export function StepUpField() {
  const refused = useFormState().errors.password !== undefined
  const [asked, setAsked] = useState(false)
  if (refused && !asked) setAsked(true)
  return asked ? <PasswordField label="Your password" autoComplete="current-password" /> : null
}
