/** Cleans a server's output so that it can be quoted in a sentence. */

/** One line of plain text for display: no control characters, at most 400 characters. */
export function cleanText(text: string, limit = 400): string {
  return text.replace(/\p{C}/gu, ' ').trim().slice(0, limit)
}
