/** Letters and digits that nobody takes for one another, whatever they are set in. */
const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 20

/** A password of 116 bits, to be shown once. */
export function createPassword(): string {
  // Bytes beyond the last whole round of signs would favour the first of them.
  const fair = 256 - (256 % signs.length)
  let made = ''
  while (made.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && made.length < length) made += signs[byte % signs.length] ?? ''
    }
  }
  return made
}
