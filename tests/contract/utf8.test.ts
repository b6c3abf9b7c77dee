import { expect, test } from 'vitest'
import { createUtf8Reader } from '@/lib/contract/utf8'

const mark = '\uFEFF'

/** What is read of text that is cut after so many bytes. */
function readCut(text: string, place: number): string {
  const bytes = new TextEncoder().encode(text)
  const reader = createUtf8Reader()
  return reader.push(bytes.subarray(0, place)) + reader.push(bytes.subarray(place)) + reader.end()
}

test.each(['', 'é', mark, `${mark}a`, `${mark}${mark}a`, `${mark}é${mark}😀`, `a${mark}`])(
  'of %j, cut at any byte, one byte order mark at the beginning is dropped and nothing else',
  (text) => {
    const expected = text.startsWith(mark) ? text.slice(1) : text
    const places = Array.from({ length: Buffer.byteLength(text) + 1 }, (_, place) => place)
    expect(places.map((place) => readCut(text, place))).toEqual(places.map(() => expected))
  },
)

test('an incomplete character at the end becomes one replacement character', () => {
  const reader = createUtf8Reader()
  expect([reader.push(new Uint8Array([0x61, 0xe2, 0x82])), reader.end()]).toEqual(['a', '\uFFFD'])
})
