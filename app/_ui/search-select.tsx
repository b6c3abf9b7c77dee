'use client'

import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBrowserValue } from './browser-value'
import { type Choice, ChoiceList, choicesShown, optionId } from './choice-list'
import { Input, Select } from './input'

/** What a field that offers choices needs, whichever it is. */
type ChoosingProps = Pick<
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
function Combobox({ name, choices, chosen, onChoose, focused, id, className, onInput, ...rest }: ChoosingProps) {
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

type SearchSelectProps = Omit<ChoosingProps, 'chosen' | 'onChoose' | 'focused'> & {
  /** Without it, the field remembers what was chosen. */
  value?: string | undefined
  defaultValue?: string | undefined
  onChange?: ((value: string) => void) | undefined
}

/** More than this are hard to find in a menu without a search. */
const maxPlain = 10

const subscribeNever = () => () => undefined

/**
 * One of any number of choices; the form sends its value. Few are a plain menu of the browser, many a field to search. Before the page's
 * scripts run, many are a plain menu too, and what was chosen in it stays.
 */
export function SearchSelect({ choices, value, defaultValue, onChange, ...rest }: SearchSelectProps) {
  const [own, setOwn] = useState(defaultValue)
  const [start, setStart] = useState(defaultValue)
  const scripted = useBrowserValue(subscribeNever, () => true, false)
  const focused = useRef(false)
  // The page was opened again with another filter.
  if (start !== defaultValue) {
    setStart(defaultValue)
    setOwn(defaultValue)
  }
  const wanted = value ?? own
  const chosen = (choices.find((choice) => choice.value === wanted) ?? choices[0])?.value ?? ''
  const choose = (next: string) => {
    setOwn(next)
    if (next !== chosen) onChange?.(next)
  }
  const shared = { ...rest, choices, chosen, onChoose: choose, focused }
  return scripted && choices.length > maxPlain ? <Combobox {...shared} /> : <PlainSelect {...shared} />
}

function PlainSelect({ choices, chosen, onChoose, focused, ...rest }: ChoosingProps) {
  const select = useRef<HTMLSelectElement>(null)
  // What was chosen before the page's scripts ran.
  const adopt = useRef(() => {
    const early = select.current?.value
    if (early !== undefined && early !== chosen) onChoose(early)
  })
  useEffect(() => adopt.current(), [])
  useLayoutEffect(() => {
    const element = select.current
    return () => {
      focused.current = element !== null && element === document.activeElement
    }
  }, [focused])
  return (
    <Select ref={select} {...rest} value={chosen} onChange={(event) => onChoose(event.target.value)}>
      {choices.map(({ value, label, note }) => (
        <option key={value} value={value}>
          {note ? `${label} (${note})` : label}
        </option>
      ))}
    </Select>
  )
}
