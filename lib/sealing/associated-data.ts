/** Encodes a list of fields so that no other list has the same bytes: each with its length before it, never joined text. */

/** Encodes the count of the fields, then each as a 4-byte length and its UTF-8 bytes. */
export function encodeFields(fields: readonly string[]): Uint8Array {
  const parts = fields.map((field) => Buffer.from(field, 'utf8'))
  return Buffer.concat([length(fields.length), ...parts.flatMap((part) => [length(part.length), part])])
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
