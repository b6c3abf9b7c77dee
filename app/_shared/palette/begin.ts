/** What is to be begun on the page that somebody was led to: the palette asks, the page does. */
type Asked = { path: string; selector: string }

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** selector: the control with which a person would begin it there. */
export function askToBegin(path: string, selector: string): void {
  asked = { path, selector }
  for (const listener of listeners) listener()
}

/** What was asked for on this page, once. */
export function takeAsked(path: string): string | null {
  if (asked?.path !== path) return null
  const { selector } = asked
  asked = null
  return selector
}

export function onAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
