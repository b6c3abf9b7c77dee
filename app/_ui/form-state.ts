'use client'

import { createContext, useContext } from 'react'

/** What a field knows of its form: whether it is being sent, why fields were refused, and their values. */
export type FormState = {
  pending: boolean
  errors: Readonly<Record<string, string>>
  values: Readonly<Record<string, string>>
}

export const FormStateContext = createContext<FormState>({ pending: false, errors: {}, values: {} })

export const useFormState = () => useContext(FormStateContext)
