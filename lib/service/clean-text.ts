/** Makes a host's output fit for a sentence. */

/** One line of plain text for a person: no control characters, at most 400 characters. */
export function cleanText(text: string, limit = 400): string {
  return text.replace(/\p{C}/gu, ' ').trim().slice(0, limit)
}
