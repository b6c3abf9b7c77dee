/** Characters that set the direction of text: invisible, and able to reorder the text around them. */

const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Replaces each such character with a visible code, like [U+202E], for anything that shows text from outside. */
export function showBidiControls(text: string): string {
  return text.replace(controls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** Whether somebody typed this name: with the characters that nobody sees, without them, or with the codes shown for them. */
export function isTypedName(typed: string, name: string): boolean {
  const given = typed.trim()
  return given === name || given === showBidiControls(name) || given.replace(controls, '') === name.replace(controls, '').trim()
}
