'use client'

import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { Kbd, keysOf, useMac } from '../keyboard/shortcuts'
import { openOverlay } from '../keyboard/use-shortcuts'

/** Opens the palette: looks like its search field, in the bar of a phone like the other buttons. */
export function SearchButton({ className }: { className: string }) {
  const mac = useMac()
  return (
    <button
      type="button"
      onClick={() => openOverlay('palette')}
      aria-keyshortcuts="Control+K Meta+K"
      className={clsx(className, 'desktop:border-line-strong desktop:bg-surface')}
    >
      <Search aria-hidden size={16} strokeWidth={1.5} />
      <span className="rail-word">Search</span>
      <span aria-hidden className="ml-auto flex gap-1 max-desktop:hidden">
        {keysOf('mod+k', mac).map((key) => (
          <Kbd key={key} text={key} />
        ))}
      </span>
    </button>
  )
}
