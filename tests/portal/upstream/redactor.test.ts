import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonRedactor, createRedactor } from '@/lib/portal/upstream/redactor'
import { seededRuns } from '@/tests/support/seeds'

const key = 'gh_a+b/c"d&e=canary\\x'

function redact(text: string, sizes: readonly number[], create = createRedactor): string {
  const redactor = create(Buffer.from(key))
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
  test(`security 2: a key echoed as ${name} is removed, wherever the data is split, and the rest is intact`, () => {
    for (let size = 1; size <= spelling.length + 2; size += 1) {
      expect(redact(`id: 1\ndata: ü ${spelling} end`, [size])).toBe('id: 1\ndata: ü [redacted] end')
    }
  })
}

test('security 2: arbitrary text in arbitrary pieces loses only the key, and all of it', () => {
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

test('a line that contains nothing of the key is not delayed', () => {
  const redactor = createRedactor(Buffer.from(key))
  expect(redactor.push(Buffer.from('data: {"message":"on"}\n')).toString()).toBe('data: {"message":"on"}\n')
  expect(redactor.end().length).toBe(0)
})

/** Every character as JSON's longest escape. */
const escapeAll = (text: string) => [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const decoded = {
  raw: key,
  URL: encodeURIComponent(key),
  HTML: spellings.HTML,
  hex: spellings.hex,
  base64: spellings.base64,
  base64url: spellings.base64url,
}

for (const [name, text] of Object.entries(decoded)) {
  test(`security 2: a key that a parser would decode to ${name} is removed from values and names, wherever the data is split`, () => {
    const halves = [JSON.stringify(text.slice(0, 5)).slice(1, -1), escapeAll(text.slice(5))].join('')
    for (const written of [escapeAll(text), escapeAll(text).toUpperCase().replaceAll('\\U', '\\u'), halves]) {
      const answer = `{"ü":"a ${written} b","x ${written}":"c\\n\\u00fc\\\\u0067"}`
      const expected = { ü: 'a [redacted] b', 'x [redacted]': 'c\nü\\u0067' }
      expect(JSON.parse(redact(answer, [], createJsonRedactor))).toEqual(expected)
      for (let size = 1; size <= 9; size += 1) {
        const stream = redact(`id: 1\r\ndata: ${answer}\r\nid: 2\rdata: ${answer}`, [size], createJsonRedactor)
        expect(
          stream
            .split(/\r\n|\r/)
            .filter((line) => line.startsWith('data'))
            .map((line) => JSON.parse(line.slice(6))),
        ).toEqual([expected, expected])
      }
    }
  })
}

test('escapes that do not spell the key stay byte for byte, in JSON and elsewhere', () => {
  for (const text of ['{"a":"\\u0067\\/x\\\\u0067h_"}\n', 'printf "\\u0067h\\/"', '\\', '\\u00', `\\${'u0067'.repeat(3)}`]) {
    expect(redact(text, [1], createJsonRedactor)).toBe(text)
  }
})

test('at most 256 KB of an endless line are held back', () => {
  const redactor = createJsonRedactor(Buffer.from(key))
  const piece = Buffer.alloc(65_536, 'x')
  const given = Array.from({ length: 8 }, () => redactor.push(piece).length)
  expect(given.slice(0, 4)).toEqual([0, 0, 0, 0])
  expect(given.reduce((sum, length) => sum + length, 0)).toBe(8 * 65_536)
})

test('a key that is echoed 200,000 times is removed each time', () => {
  const echoes = 200_000
  // Looking for every spelling again after each hit took hours, which is longer than a test may take.
  expect(redact(`${key},`.repeat(echoes), [])).toBe('[redacted],'.repeat(echoes))
})
