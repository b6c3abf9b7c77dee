'use client'

import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { Checked } from './column'

type SelectCheckboxProps = {
  label: string
  checked: Checked
  onToggle: (extend: boolean) => void
  tabIndex?: number | undefined
  className?: string | undefined
}

/** Checked if everything it stands for is selected, indeterminate if some of it is. */
export function SelectCheckbox({ label, checked, onToggle, tabIndex, className }: SelectCheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  const some = checked === 'some'
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className={clsx('flex w-11 touch:min-h-11 cursor-pointer items-center justify-center', className)}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        tabIndex={tabIndex}
        checked={checked === 'all'}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  )
}
