/** What to start on the page that the palette navigates to: the palette requests it, the page does it. */
type Asked = { path: string; selector: string }

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** selector: the control with which a user would start it there. */
export function askToBegin(path: string, selector: string): void {
  asked = { path, selector }
  for (const listener of listeners) listener()
}

/** What was requested for this page, once. */
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
