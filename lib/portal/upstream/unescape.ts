/** Finds an API key in JSON text even if its characters are escaped, because a parser would decode them. */
import 'server-only'

const lineFeed = 0x0a
const carriageReturn = 0x0d

const backslash = 0x5c
const slash = 0x2f
const quote = 0x22

/**
 * Replaces escapes of characters that need none, and writes `"` and `\` in their short form. Other escapes stay unchanged. Loops over
 * bytes, because megabytes of an answer may consist of escapes.
 */
function writePlainly(json: Buffer): Buffer {
  const written = Buffer.allocUnsafe(json.length)
  let [from, to] = [0, 0]
  while (from < json.length) {
    const byte = json[from] ?? 0
    if (byte !== backslash) {
      written[to++] = byte
      from += 1
      continue
    }
    const next = json[from + 1] ?? 0
    const code = readEscape(json, from)
    if (code === null || code === quote || code === backslash) written[to++] = backslash
    // The character after the backslash of any other escape is copied too, so that it does not begin an escape.
    if (code !== null || from + 1 < json.length) written[to++] = code ?? next
    from += code === null || next === slash ? 2 : 6
  }
  return written.subarray(0, to)
}

/** The printable ASCII character that an escape stands for; null for any other escape. */
function readEscape(json: Buffer, at: number): number | null {
  if (json[at + 1] === slash) return slash
  if (json[at + 1] !== 0x75 || json[at + 2] !== 0x30 || json[at + 3] !== 0x30) return null
  const [high, low] = [readHex(json[at + 4]), readHex(json[at + 5])]
  const code = high * 16 + low
  return code >= 0x20 && code <= 0x7e ? code : null
}

/** NaN if it is not a hexadecimal digit. */
function readHex(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

/** `redact` returns the bytes without the key, or null if they do not contain it. Text without the key stays unchanged byte for byte. */
export function redactEscaped(bytes: Buffer, redact: (bytes: Buffer) => Buffer | null): Buffer {
  if (!bytes.includes('\\u') && !bytes.includes('\\/')) return bytes
  return redact(writePlainly(bytes)) ?? bytes
}

/**
 * Passes a stream through `change` in complete lines, so that no escape is cut in half; a line of more than `longest` bytes in the pieces
 * that arrive.
 */
export function createLineFilter(longest: number, change: (lines: Buffer) => Buffer): { push(chunk: Buffer): Buffer; end(): Buffer } {
  let parts: Buffer[] = []
  let bytes = 0
  let tooLong = false
  const take = (): Buffer => {
    const whole = Buffer.concat(parts)
    parts = []
    bytes = 0
    return whole
  }
  const hold = (rest: Buffer): Buffer => {
    parts.push(rest)
    bytes += rest.length
    tooLong ||= bytes > longest
    return tooLong ? change(take()) : Buffer.alloc(0)
  }
  return {
    push(chunk) {
      const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn)) + 1
      if (end === 0) return hold(chunk)
      parts.push(chunk.subarray(0, end))
      tooLong = false
      return Buffer.concat([change(take()), hold(chunk.subarray(end))])
    },
    end: () => change(take()),
  }
}
