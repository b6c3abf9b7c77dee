/** Encodes a list of fields unambiguously, as associated data: a length precedes each field, because joined text could be split differently. */

/** Encodes the number of fields, then each as a 4-byte length and its UTF-8 bytes. */
export function encodeFields(fields: readonly string[]): Uint8Array {
  const parts = fields.map((field) => Buffer.from(field, 'utf8'))
  return Buffer.concat([length(fields.length), ...parts.flatMap((part) => [length(part.length), part])])
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
