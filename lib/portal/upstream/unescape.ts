/** Finds an API key in JSON text whose characters a service wrote as escapes, which a parser would decode. */
import 'server-only'

const lineFeed = 0x0a
const carriageReturn = 0x0d

const backslash = 0x5c
const slash = 0x2f
const quote = 0x22

/**
 * Writes characters that need no escape plainly, and `"` and `\` in their short form. Other escapes stay as they are. A loop over
 * bytes, because an answer of megabytes may consist of escapes.
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
    // For any other escape the character after the backslash is copied too, so that it does not begin an escape.
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

/** NaN for what is no hexadecimal digit. */
function readHex(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN
}

/** `strike` returns the bytes without the key, or null if they do not contain it. Text without the key stays unchanged byte for byte. */
export function redactEscaped(bytes: Buffer, redact: (bytes: Buffer) => Buffer | null): Buffer {
  if (!bytes.includes('\\u') && !bytes.includes('\\/')) return bytes
  return redact(writePlainly(bytes)) ?? bytes
}

/**
 * Returns the bytes of a stream line by line, each passed through `change`. More than `longest` bytes without a line end pass
 * unchanged.
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
