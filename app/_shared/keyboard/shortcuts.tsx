'use client'

import { useBrowserValue } from '../../_ui/browser-value'
import { navItems } from '../frame/nav-items'
import { readStored, useStored, writeStored } from './stored'

/** A key as labelled on the keyboard. */
export function Kbd({ text }: { text: string }) {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded-control border border-line px-1.5 font-sans text-chip text-muted">
      {text}
    </kbd>
  )
}

const never = () => () => undefined

/** Whether shortcuts use Cmd here; false on the server. */
export const useMac = (): boolean => useBrowserValue(never, () => /Mac|iPhone|iPad/.test(navigator.userAgent), false)

const name = 'single-keys'

/** Whether single-key shortcuts are on. Users with speech input or tremor may need them off. */
export const areSingleKeysOn = (): boolean => readStored(name) !== 'off'

export const useSingleKeys = (): boolean => useStored(name) !== 'off'

export const setSingleKeys = (on: boolean): void => writeStored(name, on ? 'on' : 'off')

export const shortcutGroups = ['Anywhere', 'Lists', 'Go to'] as const

/** What a shortcut does. `rows` moves the focus into the list of the page, whose rows then handle the key. `go:` navigates to an address. `built-in` ones are handled by the component they belong to. */
type Effect = 'palette' | 'find' | 'shortcuts' | 'rows' | 'built-in' | `go:${string}`

export type Shortcut = {
  /** In sequence; `mod` is Ctrl, on a Mac Cmd. */
  strokes: readonly string[]
  description: string
  group: (typeof shortcutGroups)[number]
  effect: Effect
}

/** Every shortcut: the overview shows these, and the keyboard handles these. */
export const shortcuts: readonly Shortcut[] = [
  { strokes: ['mod+k'], description: 'Search servers, sites, pages and actions', group: 'Anywhere', effect: 'palette' },
  { strokes: ['/'], description: 'Filter the list on this page, or search', group: 'Anywhere', effect: 'find' },
  { strokes: ['?'], description: 'Show these shortcuts', group: 'Anywhere', effect: 'shortcuts' },
  { strokes: ['alt+t'], description: 'Focus latest notification', group: 'Anywhere', effect: 'built-in' },
  { strokes: ['escape'], description: 'Close the open panel', group: 'Anywhere', effect: 'built-in' },
  { strokes: ['j'], description: 'Next row', group: 'Lists', effect: 'rows' },
  { strokes: ['k'], description: 'Previous row', group: 'Lists', effect: 'rows' },
  { strokes: ['enter'], description: 'Open the row', group: 'Lists', effect: 'built-in' },
  { strokes: ['x'], description: 'Select the row', group: 'Lists', effect: 'built-in' },
  { strokes: ['shift+x'], description: 'Select up to the row', group: 'Lists', effect: 'built-in' },
  { strokes: ['shift+j'], description: 'Select the next row too', group: 'Lists', effect: 'built-in' },
  { strokes: ['mod+a'], description: 'Select all rows', group: 'Lists', effect: 'built-in' },
  ...navItems.flatMap(({ href, name, letter }): Shortcut[] =>
    letter ? [{ strokes: ['g', letter], description: name, group: 'Go to', effect: `go:${href}` }] : [],
  ),
]

const words: Record<string, string> = { mod: 'Ctrl', alt: 'Alt', escape: 'Esc', enter: 'Enter', shift: 'Shift' }

/** The keys of one stroke as labelled on the keyboard: "Ctrl", "K". */
export const keysOf = (stroke: string, mac: boolean): string[] =>
  stroke.split('+').map((key) => (key === 'mod' && mac ? '⌘' : (words[key] ?? key.toUpperCase())))
