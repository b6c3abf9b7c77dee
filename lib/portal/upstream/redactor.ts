/** Removes an API key from what an upstream answers, wherever its pieces were split. */
import 'server-only'
import { createLineFilter, redactEscaped } from './unescape'

export type Redactor = {
  /** Returns what is certainly safe; bytes that might begin the key wait for the next piece. */
  push: (chunk: Uint8Array) => Buffer
  /** Returns what was held back. */
  end: () => Buffer
}

const struckOut = Buffer.from('[redacted]')

/** A redactor for one answer. It also removes the key's usual encodings: base64, URL-encoded, JSON- and HTML-escaped. */
export function createRedactor(key: Uint8Array): Redactor {
  const spellings = spell(Buffer.from(key).toString('latin1'))
  let waiting: Buffer = Buffer.alloc(0)
  return {
    push: (chunk) => {
      const { done, rest } = redact(Buffer.concat([waiting, chunk]), spellings)
      const held = countHeldBytes(rest, spellings)
      waiting = Buffer.from(rest.subarray(rest.length - held))
      return Buffer.concat([...done, rest.subarray(0, rest.length - held)])
    },
    end: () => {
      const rest = waiting
      waiting = Buffer.alloc(0)
      return rest
    },
  }
}

// As long as the longest line that is read as a whole may be, in UTF-8 (lib/contract/stream.ts).
const maxLineBytes = 4 * 65_536

/**
 * A redactor for JSON, in one piece or in lines: it also removes the key where its characters are written as escapes. Lines are held
 * back until they are complete.
 */
export function createJsonRedactor(key: Uint8Array): Redactor {
  const plain = createRedactor(key)
  const spellings = spell(Buffer.from(key).toString('latin1'))
  const lines = createLineFilter(maxLineBytes, (bytes) => redactEscaped(bytes, (written) => redactWhole(written, spellings)))
  return {
    push: (chunk) => lines.push(plain.push(chunk)),
    end: () => Buffer.concat([lines.push(plain.end()), lines.end()]),
  }
}

function redactWhole(bytes: Buffer, spellings: readonly Buffer[]): Buffer | null {
  const { done, rest } = redact(bytes, spellings)
  return done.length === 0 ? null : Buffer.concat([...done, rest])
}

/** Longest first, so that no encoding is removed only in part. */
function spell(key: string): Buffer[] {
  const bytes = Buffer.from(key, 'latin1')
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const json = inJson(key)
  const html = key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const spellings = [
    key,
    json,
    json.replaceAll('/', '\\/'),
    encodeURIComponent(key),
    new URLSearchParams([['', key]]).toString().slice(1),
    html,
    inJson(html),
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
  return [...new Set(spellings)].sort((a, b) => b.length - a.length).map((text) => Buffer.from(text, 'latin1'))
}

/** Removes every complete occurrence from the bytes; `rest` is what follows the last one. */
function redact(bytes: Buffer, spellings: readonly Buffer[]): { done: Buffer[]; rest: Buffer } {
  const done: Buffer[] = []
  // Where each encoding occurs next. It is searched again only after it was passed, so that many occurrences of one do not slow the
  // others.
  const next = spellings.map((spelling) => bytes.indexOf(spelling))
  let from = 0
  for (;;) {
    const hit = findFirst(bytes, from, spellings, next)
    if (!hit) return { done, rest: bytes.subarray(from) }
    done.push(bytes.subarray(from, hit.at), struckOut)
    from = hit.at + hit.length
  }
}

/** The first occurrence at `from` or later; the longer of two at the same place. */
function findFirst(bytes: Buffer, from: number, spellings: readonly Buffer[], next: number[]): { at: number; length: number } | null {
  let first: { at: number; length: number } | null = null
  for (const [index, spelling] of spellings.entries()) {
    let at = next[index] ?? -1
    if (at >= 0 && at < from) {
      at = bytes.indexOf(spelling, from)
      next[index] = at
    }
    if (at >= 0 && (!first || at < first.at)) first = { at, length: spelling.length }
  }
  return first
}

/** How many bytes at the end might begin an occurrence. Usually none, so that lines are not delayed. */
function countHeldBytes(bytes: Buffer, spellings: readonly Buffer[]): number {
  const longest = Math.max(...spellings.map((spelling) => spelling.length)) - 1
  for (let held = Math.min(longest, bytes.length); held > 0; held -= 1) {
    const at = bytes.length - held
    const mayBegin = (spelling: Buffer) => spelling[0] === bytes[at] && spelling.length > held
    if (spellings.some((spelling) => mayBegin(spelling) && spelling.compare(bytes, at, bytes.length, 0, held) === 0)) return held
  }
  return 0
}
