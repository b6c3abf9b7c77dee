import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor } from '@/lib/portal/upstream/redactor'
import { seededRuns } from '@/tests/support/seeds'

const key = 'gh_a+b/c"d&e=canary\\x'

function redact(text: string, sizes: readonly number[], secret = key): string {
  const redactor = createRedactor(Buffer.from(secret))
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? bytes.length)
    pieces.push(redactor.push(bytes.subarray(at, at + size)))
    at += size
  }
  return Buffer.concat([...pieces, redactor.end()]).toString()
}

const spellings = {
  raw: key,
  JSON: JSON.stringify(key).slice(1, -1),
  'JSON as PHP writes it': JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  URL: encodeURIComponent(key),
  form: new URLSearchParams({ k: key }).toString().slice(2),
  HTML: key.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  hex: Buffer.from(key).toString('hex'),
  base64: Buffer.from(key).toString('base64'),
  base64url: Buffer.from(key).toString('base64url'),
}

for (const [name, spelling] of Object.entries(spellings)) {
  test(`security 2: a key echoed as ${name} is struck out, cut at any byte, and the rest is intact`, () => {
    for (let size = 1; size <= spelling.length + 2; size += 1) {
      expect(redact(`id: 1\ndata: ü ${spelling} end`, [size])).toBe('id: 1\ndata: ü [redacted] end')
    }
  })
}

test('security 2: no text in any pieces loses a byte that is not the key, or keeps one that is', () => {
  const part = fc.oneof(fc.constantFrom('gh_', 'gh_a+b', key, key.slice(0, -1), key.slice(1), '"', '\\'), fc.string({ maxLength: 8 }))
  const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }), (text, sizes) => {
      const whole = redact(text, [])
      expect(redact(text, sizes)).toBe(whole)
      expect(whole).not.toContain(key)
      if (!Object.values(spellings).some((spelling) => text.includes(spelling))) expect(whole).toBe(text)
    }),
    { numRuns: seededRuns(10_000) },
  )
})

test('a line that holds nothing of the key is not held up', () => {
  const redactor = createRedactor(Buffer.from(key))
  expect(redactor.push(Buffer.from('data: {"message":"on"}\n')).toString()).toBe('data: {"message":"on"}\n')
  expect(redactor.end().length).toBe(0)
})

test('a key that is echoed over and over takes no longer to strike out than to read', () => {
  const echoes = 200_000
  const started = performance.now()
  expect(redact(`${key},`.repeat(echoes), [])).toBe('[redacted],'.repeat(echoes))
  // Looking for every spelling again after each hit took hours.
  expect(performance.now() - started).toBeLessThan(10_000)
})
