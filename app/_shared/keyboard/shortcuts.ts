import { navItems } from '../frame/nav-items'

/** What a shortcut does. `go:` navigates to an address. `built-in` ones are handled by the component they belong to. */
type Effect = 'palette' | 'find' | 'shortcuts' | 'built-in' | `go:${string}`

export type Shortcut = {
  /** In sequence; `mod` is Ctrl, on a Mac Cmd. */
  strokes: readonly string[]
  description: string
  group: 'Anywhere' | 'Go to'
  effect: Effect
}

/** Every shortcut: the overview shows these, and the keyboard handles these. */
export const shortcuts: readonly Shortcut[] = [
  { strokes: ['mod+k'], description: 'Search servers, sites, pages and actions', group: 'Anywhere', effect: 'palette' },
  { strokes: ['/'], description: 'Filter the list on this page, or search', group: 'Anywhere', effect: 'find' },
  { strokes: ['?'], description: 'Show these shortcuts', group: 'Anywhere', effect: 'shortcuts' },
  { strokes: ['alt+t'], description: 'Focus latest notification', group: 'Anywhere', effect: 'built-in' },
  { strokes: ['escape'], description: 'Close the open panel', group: 'Anywhere', effect: 'built-in' },
  ...navItems.flatMap(({ href, name, letter }): Shortcut[] =>
    letter ? [{ strokes: ['g', letter], description: name, group: 'Go to', effect: `go:${href}` }] : [],
  ),
]

const words: Record<string, string> = { mod: 'Ctrl', alt: 'Alt', escape: 'Esc' }

/** The keys of one stroke as labelled on the keyboard: "Ctrl", "K". */
export const keysOf = (stroke: string, mac: boolean): string[] =>
  stroke.split('+').map((key) => (key === 'mod' && mac ? '⌘' : (words[key] ?? key.toUpperCase())))
