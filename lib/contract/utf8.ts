/** UTF-8 text from bytes that arrive in pieces. */

const mark = '\uFEFF'

/** Pieces may end within a character; bytes that are no UTF-8 become U+FFFD. */
export type Utf8Reader = {
  push(piece: Uint8Array): string
  /** Call this at the end; returns what an incomplete character at the end becomes. */
  end(): string
}

/**
 * Drops one byte order mark at the beginning. Node is not asked to do so: version 24 drops two of them, depending on where the bytes are cut.
 */
export function createUtf8Reader(): Utf8Reader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let begun = false
  const withoutMark = (text: string): string => {
    if (begun || text === '') return text
    begun = true
    return text.startsWith(mark) ? text.slice(mark.length) : text
  }
  return {
    push: (piece) => withoutMark(decoder.decode(piece, { stream: true })),
    end: () => withoutMark(decoder.decode()),
  }
}
