'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { lazyComponent } from '../../_ui/lazy'
import { rememberVisit } from '../palette/recents'
import { openOverlay, useOverlay, useShortcuts } from './use-shortcuts'

// Lazy, so that no page loads more scripts.
const Palette = lazyComponent(() => import('../palette/palette').then((file) => file.Palette))
const ShortcutSheet = lazyComponent(() => import('./shortcut-sheet').then((file) => file.ShortcutSheet))

type KeyboardProps = { mayChange: boolean; signOut: () => Promise<unknown> }

/** Shortcuts, and the overlays they open. */
export function Keyboard({ mayChange, signOut }: KeyboardProps) {
  const overlay = useOverlay()
  const path = usePathname()
  useShortcuts()
  useEffect(() => rememberVisit(path), [path])
  const close = () => openOverlay(null)
  if (overlay === 'palette') return <Palette mayChange={mayChange} signOut={signOut} onClose={close} />
  return overlay === 'shortcuts' ? <ShortcutSheet onClose={close} /> : null
}
