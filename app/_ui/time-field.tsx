'use client'

import { CalendarDays } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef } from 'react'
import { Field } from './field'
import { Input } from './input'
import { parseTyped, type TimeKind, timeKinds } from './time-in-zone'

type TimeFieldProps = Omit<ComponentProps<typeof Field>, 'children'> & {
  kind: TimeKind
  /** The text as typed. Without it, the field stores it, and the form sends it. */
  value?: string
  defaultValue?: string | undefined
  onChange?: (typed: string) => void
}

/** A date, a time or both as text, because the browser's own fields have another format in each language; the calendar is for choosing. */
export const TimeField = ({ kind, value, defaultValue, onChange, ...field }: TimeFieldProps) => (
  <Field {...field}>
    {({ name, defaultValue: sent, ...control }) => (
      <TimeInput
        {...control}
        kind={kind}
        label={field.label}
        {...(value === undefined ? { name, defaultValue: sent ?? defaultValue } : { value })}
        onTyped={onChange}
      />
    )}
  </Field>
)

type TimeInputProps = Omit<ComponentProps<'input'>, 'onInput'> & {
  kind: TimeKind
  label: string
  onInput: () => void
  onTyped: ((typed: string) => void) | undefined
}

function TimeInput({ kind, label, onTyped, onInput, ...rest }: TimeInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const { placeholder, pattern, refusal } = timeKinds[kind]
  const check = () => {
    const element = input.current
    if (element) element.setCustomValidity(element.value === '' || parseTyped(kind, element.value) !== null ? '' : refusal)
  }
  useEffect(check)
  function put(text: string) {
    if (input.current) input.current.value = text
    check()
    onTyped?.(text)
  }
  const choose = (text: string) => {
    onInput()
    put(text)
  }
  /** Normalises what was typed. */
  function tidy() {
    const element = input.current
    const tidied = parseTyped(kind, element?.value ?? '')
    if (element && tidied !== null && tidied !== element.value) put(tidied)
  }
  return (
    <div className="relative">
      <Input
        {...rest}
        ref={input}
        title={refusal}
        placeholder={placeholder}
        pattern={pattern}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        className={kind === 'time' ? 'w-36!' : 'pr-9'}
        onInput={() => {
          check()
          onInput()
        }}
        onChange={(event) => onTyped?.(event.target.value)}
        onKeyDown={({ key }: KeyboardEvent) => (key === 'Enter' ? tidy() : undefined)}
        onBlur={() => {
          tidy()
          if (input.current?.value) input.current.checkValidity()
        }}
      />
      {kind === 'time' ? null : <Calendar kind={kind} label={label} typed={() => input.current?.value ?? ''} onChoose={choose} />}
    </div>
  )
}

type CalendarProps = { kind: 'date' | 'moment'; label: string; typed: () => string; onChoose: (text: string) => void }

/** Opens the browser's calendar, which on phones is easier than typing. */
function Calendar({ kind, label, typed, onChoose }: CalendarProps) {
  const native = useRef<HTMLInputElement>(null)
  const show = () => {
    if (!native.current) return
    native.current.value = parseTyped(kind, typed())?.replace(' ', 'T') ?? ''
    native.current.showPicker()
  }
  return (
    <>
      <input
        ref={native}
        type={kind === 'date' ? 'date' : 'datetime-local'}
        aria-hidden
        tabIndex={-1}
        className="pointer-events-none absolute inset-0 opacity-0"
        onInput={(event) => event.stopPropagation()}
        onChange={({ target }) => onChoose(parseTyped(kind, target.value) ?? '')}
      />
      <button
        type="button"
        aria-label="Open the calendar"
        aria-description={label}
        onClick={show}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-control text-muted hover:text-ink"
      >
        <CalendarDays aria-hidden size={16} strokeWidth={1.5} />
      </button>
    </>
  )
}
