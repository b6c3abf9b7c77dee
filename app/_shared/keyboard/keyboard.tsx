'use client'

import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { rememberVisit } from '../palette/recents'
import { openOverlay, useOverlay } from './overlay'
import { useShortcuts } from './use-shortcuts'

// Fetched when first asked for: no page is to be heavier for them.
const Palette = dynamic(() => import('../palette/palette').then(({ Palette: part }) => part), { ssr: false })
const ShortcutSheet = dynamic(() => import('./shortcut-sheet').then(({ ShortcutSheet: part }) => part), { ssr: false })

type KeyboardProps = { mayChange: boolean; signOut: () => Promise<unknown> }

/** Shortcuts, and what they open. */
export function Keyboard({ mayChange, signOut }: KeyboardProps) {
  const overlay = useOverlay()
  const path = usePathname()
  useShortcuts()
  useEffect(() => rememberVisit(path), [path])
  const close = () => openOverlay(null)
  if (overlay === 'palette') return <Palette mayChange={mayChange} signOut={signOut} onClose={close} />
  return overlay === 'shortcuts' ? <ShortcutSheet onClose={close} /> : null
}
