/** Characters that change the direction of text: invisible, and able to reorder the text around them. */

const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Replaces each such character with a visible code such as [U+202E], for any display of untrusted text. */
export function showBidiControls(text: string): string {
  return text.replace(controls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** Whether the user typed this name: with the invisible characters, without them, or with their visible codes. */
export function isTypedName(typed: string, name: string): boolean {
  const given = typed.trim()
  return given === name || given === showBidiControls(name) || given.replace(controls, '') === name.replace(controls, '').trim()
}
