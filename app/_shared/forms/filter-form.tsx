'use client'

import Form from 'next/form'
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { FilterSheet } from '../../_ui/filter-sheet'
import { openPage } from '../../_ui/opening'

type FilterFormProps = {
  action: string
  label: string
  /** How many of its fields are set, if it filters a list: on a phone its fields are in a sheet then. */
  active?: number
  children: ReactNode
}

/** A plain GET form: the filter is in the address, so it can be shared. With scripts the address has only what is set. */
export function FilterForm({ action, label, active, children }: FilterFormProps) {
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
      onSubmit={(event) => openFiltered(event, action)}
      // Fields stay in line when one has a refusal below it; buttons have no label above them.
      className="flex flex-wrap items-start gap-3 tablet:[&>:is(a,button),&>[data-filters]>:is(a,button)]:mt-5.5"
      role="search"
      aria-label={label}
    >
      {active === undefined ? children : <FilterSheet active={active}>{children}</FilterSheet>}
    </Form>
  )
}

function openFiltered(event: SubmitEvent<HTMLFormElement>, action: string): void {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(event.currentTarget)) if (typeof value === 'string') query.append(name, value)
  if (openPage(query.size === 0 ? action : `${action}?${query}`)) event.preventDefault()
}

function leaveOutEmpty({ formData }: FormDataEvent): void {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
}
