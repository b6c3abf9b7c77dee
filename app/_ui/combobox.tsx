'use client'

import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Choice, ChoiceList, choicesShown, optionId } from './choice-list'
import { Input } from './input'

/** What a field that offers choices needs, whichever it is. */
export type ChoosingProps = Pick<
  ComponentProps<'input'>,
  'id' | 'name' | 'className' | `aria-${'label' | 'labelledby' | 'describedby' | 'invalid'}`
> & {
  choices: readonly Choice[]
  chosen: string
  onChoose: (value: string) => void
  /** The value was changed by the user. */
  onInput?: (() => void) | undefined
  /** Whether the plain menu had the focus when the field to search took its place. */
  focused: RefObject<boolean>
}

const pageSize = 8

/**
 * A field to search its choices in, after the WAI-ARIA pattern of a combobox with a list and automatic selection: the best match is
 * chosen by Enter, and by leaving the field, so that what was typed is never silently dropped. Esc returns to what was chosen before.
 */
export function Combobox({ name, choices, chosen, onChoose, focused, id, className, onInput, ...rest }: ChoosingProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  const listId = `${inputId}-list`
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  /** null: not searched. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const shown = useMemo(() => (open ? choicesShown(choices, chosen, typed ?? '') : []), [choices, chosen, open, typed])
  const current = choices.find(({ value }) => value === chosen)
  useEffect(() => {
    if (focused.current) input.current?.focus()
    focused.current = false
  }, [focused])

  function show() {
    if (open) return
    const at = choicesShown(choices, chosen, '').findIndex(({ value }) => value === chosen)
    setOpen(true)
    setActive(Math.max(0, at))
    input.current?.select()
  }

  function close() {
    setOpen(false)
    setTyped(null)
  }

  function take(choice: Choice | undefined) {
    close()
    if (!choice) return
    onChoose(choice.value)
    onInput?.()
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (!open) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return
      show()
      return event.preventDefault()
    }
    const last = shown.length - 1
    const moves: Record<string, number> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + pageSize),
      PageUp: Math.max(0, active - pageSize),
      Home: 0,
      End: last,
    }
    const next = event.shiftKey || event.ctrlKey || event.metaKey ? undefined : moves[key]
    if (next !== undefined) setActive(Math.max(0, next))
    else if (key === 'Enter') take(shown[active])
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
  }

  return (
    <div className={clsx('relative w-full', className)}>
      <input type="hidden" name={name} value={chosen} />
      <Input
        {...rest}
        ref={input}
        id={inputId}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && shown.length > 0 ? optionId(listId, active) : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="truncate pr-8"
        placeholder={open ? 'Type to search' : undefined}
        value={typed ?? current?.label ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          setOpen(true)
          setActive(0)
        }}
        onClick={() => show()}
        onKeyDown={onKeyDown}
        onBlur={() => (typed === null || typed.trim() === '' ? close() : take(shown[active]))}
      />
      <ChevronsUpDown
        aria-hidden
        size={14}
        strokeWidth={1.5}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
      />
      {open ? (
        <ChoiceList
          id={listId}
          field={input}
          shown={shown}
          active={active}
          chosen={chosen}
          count={choices.length}
          typed={typed ?? ''}
          onPoint={setActive}
          onTake={take}
        />
      ) : null}
    </div>
  )
}
