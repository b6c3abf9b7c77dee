import { type Shortcut, shortcuts } from './shortcuts'

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
