/** Removes an API key from a service's answer, even if it is split between chunks. */
import 'server-only'
import { createLineFilter, redactEscaped } from './unescape'

export type Redactor = {
  /** Returns the bytes that are certainly safe; holds back bytes that might begin the key. */
  push: (chunk: Uint8Array) => Buffer
  /** Returns the held-back bytes. */
  end: () => Buffer
}

const struckOut = Buffer.from('[redacted]')

/** A redactor for one answer. It also removes the key's usual encodings: base64, URL-encoded, JSON- and HTML-escaped. */
export const createRedactor = (key: Uint8Array): Redactor => redactorOf(spell(Buffer.from(key).toString('latin1')))

function redactorOf(spellings: readonly Buffer[]): Redactor {
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

// The maximum length of a line that is read as a whole, in UTF-8 (lib/contract/stream.ts).
const maxLineBytes = 4 * 65_536

/**
 * A redactor for JSON, as a whole or in lines: also removes the key if its characters are escaped. Holds back lines until they are
 * complete.
 */
export function createJsonRedactor(key: Uint8Array): Redactor {
  const spellings = spell(Buffer.from(key).toString('latin1'))
  const plain = redactorOf(spellings)
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

/** Removes all complete occurrences; `rest` is what follows the last one. */
function redact(bytes: Buffer, spellings: readonly Buffer[]): { done: Buffer[]; rest: Buffer } {
  const done: Buffer[] = []
  // The next position of each encoding. Searched again only after it was passed, so that many occurrences of one encoding do not slow
  // the others down.
  const next = spellings.map((spelling) => bytes.indexOf(spelling))
  let from = 0
  for (;;) {
    const hit = findFirst(bytes, from, spellings, next)
    if (!hit) return { done, rest: bytes.subarray(from) }
    done.push(bytes.subarray(from, hit.at), struckOut)
    from = hit.at + hit.length
  }
}

/** The first occurrence at or after `from`; the longer of two at the same position. */
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

/** How many bytes at the end might begin an occurrence. Usually none, so lines are not delayed. */
function countHeldBytes(bytes: Buffer, spellings: readonly Buffer[]): number {
  const longest = Math.max(...spellings.map((spelling) => spelling.length)) - 1
  for (let held = Math.min(longest, bytes.length); held > 0; held -= 1) {
    const at = bytes.length - held
    const mayBegin = (spelling: Buffer) => spelling[0] === bytes[at] && spelling.length > held
    if (spellings.some((spelling) => mayBegin(spelling) && spelling.compare(bytes, at, bytes.length, 0, held) === 0)) return held
  }
  return 0
}
