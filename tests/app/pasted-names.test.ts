/** Pasted names: separated, and those to skip named. */
import { expect, test } from 'vitest'
import { readNames, refuseDomain, withoutFinalDot } from '@/app/_shared/add-many/add-many-form'
import { toAsciiDomain } from '@/lib/text/idn'

const identify = (name: string) => toAsciiDomain(name) ?? name
const read = (text: string, known: string[] = [], refuse: (name: string) => string | null = () => null) =>
  readNames(text, { known, clean: withoutFinalDot, identify, refuse })

test.each([
  ['', []],
  [' \n\t,, ; ', []],
  ['a.example', ['a.example']],
  ['a.example, b.example;c.example\r\nd.example\te.example', ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']],
  ['"quoted".example not/a/name', ['"quoted".example', 'not/a/name']],
])('%j is read as %j', (text, fresh) => {
  expect(read(text)).toEqual({ fresh, repeated: [], known: [], refused: [] })
})

test('a name in another form, in capitals or twice is the same name', () => {
  expect(read('München.example xn--mnchen-3ya.example B.example b.example c.example', ['C.EXAMPLE', 'd.example'])).toEqual({
    fresh: ['München.example', 'B.example'],
    repeated: ['xn--mnchen-3ya.example', 'b.example'],
    known: ['c.example'],
    refused: [],
  })
})

test('each name that is no domain is kept out with its own reason, and the others are added', () => {
  const { fresh, refused } = read(
    'a.example localhost 192.0.2.7 https://b.example/shop c..example b_c.example not/a/name',
    [],
    refuseDomain,
  )
  expect(fresh).toEqual(['a.example'])
  expect(refused).toEqual([
    { name: 'localhost', reason: 'This name is incomplete: it has no dot.' },
    { name: '192.0.2.7', reason: 'This is an address, not a domain name.' },
    { name: 'https://b.example/shop', reason: 'This is an address of a page. Enter only the name: b.example.' },
    { name: 'c..example', reason: 'This is not a domain name.' },
    { name: 'b_c.example', reason: 'The name of a site has no underscore.' },
    { name: 'not/a/name', reason: 'This is not a domain name.' },
  ])
  expect(['żółw.example', 'a.b.c.example', '2001:db8::1', '-a.example'].map(refuseDomain)).toEqual([
    null,
    null,
    'This is an address, not a domain name.',
    'This is not a domain name.',
  ])
})

test('a name as a zone file has it is taken without its final dot, and is the same name', () => {
  expect(read('café.example. a.example a.example. b.example..', ['d.example'], refuseDomain)).toEqual({
    fresh: ['café.example', 'a.example'],
    repeated: ['a.example'],
    known: [],
    refused: [{ name: 'b.example..', reason: 'This is not a domain name.' }],
  })
})
