/** Pasted names: separated, and those to skip named. */
import { expect, test } from 'vitest'
import { readNames } from '@/app/_shared/add-many/pasted-names'
import { toAsciiDomain } from '@/lib/text/idn'

const identify = (name: string) => toAsciiDomain(name) ?? name
const read = (text: string, known: string[] = []) => readNames(text, known, identify)

test.each([
  ['', []],
  [' \n\t,, ; ', []],
  ['a.example', ['a.example']],
  ['a.example, b.example;c.example\r\nd.example\te.example', ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']],
  ['"quoted".example not/a/name', ['"quoted".example', 'not/a/name']],
])('%j is read as %j', (text, fresh) => {
  expect(read(text)).toEqual({ fresh, repeated: [], known: [] })
})

test('a name in another form, in capitals or twice is the same name', () => {
  expect(read('München.example xn--mnchen-3ya.example B.example b.example c.example', ['C.EXAMPLE', 'd.example'])).toEqual({
    fresh: ['München.example', 'B.example'],
    repeated: ['xn--mnchen-3ya.example', 'b.example'],
    known: ['c.example'],
  })
})
