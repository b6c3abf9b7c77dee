'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useBrowserValue } from './browser-value'
import { type ChoosingProps, Combobox } from './combobox'
import { Select } from './input'

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
