'use client'

import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** Moves the focus from the field into the list. */
  onEnterList: () => void
}

/** The slash key focuses it from anywhere on the page. */
export function SearchField({ label, placeholder, value, onChange, onEnterList }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role=dialog], [role=menu]')
      if (event.defaultPrevented || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="relative min-w-0 flex-1 tablet:w-80 tablet:flex-none">
      <Search
        aria-hidden
        size={16}
        strokeWidth={1.5}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('')
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onEnterList()
        }}
        className="h-8 touch:h-10 w-full rounded-control border border-line-strong bg-surface pr-9 pl-8 text-body touch:text-control-touch [&::-webkit-search-cancel-button]:hidden"
      />
      <kbd
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line px-1.5 font-sans text-chip text-muted touch:hidden"
      >
        /
      </kbd>
    </div>
  )
}
