'use client'

import Form from 'next/form'
import { type ReactNode, useEffect, useRef } from 'react'

type FilterFormProps = { action: string; label: string; children: ReactNode }

/** A plain GET form: the filter is in the address, so it can be shared. With scripts the address has only what is set. */
export function FilterForm({ action, label, children }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const present = form.current
    present?.addEventListener('formdata', leaveOutEmpty)
    return () => present?.removeEventListener('formdata', leaveOutEmpty)
  }, [])
  return (
    <Form
      ref={form}
      action={action}
      prefetch={false}
      // Fields stay in line when one has a refusal below it; buttons have no label above them.
      className="flex flex-wrap items-start gap-3 tablet:[&>:is(a,button)]:mt-5.5"
      role="search"
      aria-label={label}
    >
      {children}
    </Form>
  )
}

function leaveOutEmpty({ formData }: FormDataEvent): void {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
}
