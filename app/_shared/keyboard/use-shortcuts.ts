'use client'

import { useEffect } from 'react'
import { enterRows } from '@/app/_ui/table/use-row-keys'
import { createSharedValue } from '../../_ui/browser-value'
import { openPage } from '../../_ui/opening'
import { leavePage } from '../leaving/hold'
import { areSingleKeysOn, type Shortcut, shortcuts } from './shortcuts'

/** The overlay over the page, opened by keys or by a button anywhere. */
type Overlay = 'palette' | 'shortcuts' | null

const open = createSharedValue<Overlay>(null)

export const openOverlay = open.set

export const useOverlay = open.useValue

const fields = 'input:not([type=radio], [type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable=true]'

/** The user is typing, or an overlay handles the keyboard. */
const isTaken = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(`${fields}, [role=menu], [role=listbox]`) !== null) ||
  document.querySelector('[role=dialog], [role=alertdialog]') !== null

/** Handles the shortcuts while the portal's frame is mounted. */
export function useShortcuts(): void {
  useEffect(() => {
    let begun: Begun = null
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const stroke = strokeOf(event)
      if (stroke === null) return
      const single = !stroke.startsWith('mod+')
      if (single && (!areSingleKeysOn() || isTaken(event.target))) return
      const taken = takeStroke(begun, stroke, Date.now())
      begun = taken.begun
      if (taken.shortcut && perform(taken.shortcut, (href) => leavePage(() => openPage(href)))) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** False if it was not handled. */
function perform({ effect }: Shortcut, go: (href: string) => void): boolean {
  if (effect === 'built-in') return false
  if (effect === 'rows') return enterRows()
  if (effect === 'find') {
    const filter = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (filter) filter.focus()
    else openOverlay('palette')
  } else if (effect === 'palette' || effect === 'shortcuts') {
    // A confirmation dialog must not be covered.
    if (document.querySelector('[role=dialog], [role=alertdialog]')) return true
    openOverlay(effect)
  } else {
    go(effect.slice('go:'.length))
    focusContent()
  }
  return true
}

/** After a jump the focus moves into the new page. */
export const focusContent = (): void => document.getElementById('content')?.focus()

/** The first stroke of a sequence that waits for its second. until: ms since 1970. */
export type Begun = { stroke: string; until: number } | null

const waitMs = 1200

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** A key press in the notation of shortcuts; null if none of them uses it. */
export function strokeOf({ key, ctrlKey, metaKey, altKey }: KeyPress): string | null {
  if (altKey || key.length !== 1) return null
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key
}

/** Processes one stroke: returns the shortcut it completes, and the sequence it begins. */
export function takeStroke(begun: Begun, stroke: string, now: number): { shortcut: Shortcut | null; begun: Begun } {
  const first = begun && now < begun.until ? begun.stroke : null
  const second = first === null ? undefined : shortcuts.find(({ strokes }) => strokes[0] === first && strokes[1] === stroke)
  if (second) return { shortcut: second, begun: null }
  const single = shortcuts.find(({ strokes }) => strokes.length === 1 && strokes[0] === stroke)
  if (single) return { shortcut: single, begun: null }
  const begins = shortcuts.some(({ strokes }) => strokes.length > 1 && strokes[0] === stroke)
  return { shortcut: null, begun: begins ? { stroke, until: now + waitMs } : null }
}
