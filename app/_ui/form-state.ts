'use client'

import { createContext, useContext } from 'react'

/** What the form around a field knows: whether it is being sent, why single fields were refused, and what they held. */
export type FormState = {
  pending: boolean
  errors: Readonly<Record<string, string>>
  values: Readonly<Record<string, string>>
}

export const FormStateContext = createContext<FormState>({ pending: false, errors: {}, values: {} })

export const useFormState = () => useContext(FormStateContext)
