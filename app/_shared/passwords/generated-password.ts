/** Letters and digits that are not confused with each other in any font. */
const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 20

/** A password of 116 bits, to be shown once. */
export function createPassword(): string {
  // Bytes beyond the last complete multiple would favour the first characters.
  const fair = 256 - (256 % signs.length)
  let made = ''
  while (made.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && made.length < length) made += signs[byte % signs.length] ?? ''
    }
  }
  return made
}
