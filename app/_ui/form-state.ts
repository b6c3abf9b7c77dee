'use client'

import { createContext, useContext } from 'react'

/** What the form around a field knows: whether it is being sent, and why the other side refused single fields. */
export type FormState = { pending: boolean; errors: Readonly<Record<string, string>> }

export const FormStateContext = createContext<FormState>({ pending: false, errors: {} })

export const useFormState = () => useContext(FormStateContext)
