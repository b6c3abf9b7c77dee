/** Characters that set the direction of text: invisible, and able to reorder what stands around them. */

const controls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The text with each such character as a visible code, like [U+202E], for anything that shows text from outside. */
export function showBidiControls(text: string): string {
  return text.replace(controls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** The text without them, for comparing what somebody typed: nobody sees that they are there. */
export function dropBidiControls(text: string): string {
  return text.replace(controls, '')
}
