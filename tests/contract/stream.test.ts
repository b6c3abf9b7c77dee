import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { ProgressEvent } from '@/lib/contract/events'
import { createStreamReader, writeEvent } from '@/lib/contract/stream'
import { seededRuns } from '@/tests/support/seeds'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Reads chunks of bytes to their end. */
function read(...chunks: Uint8Array[]): ProgressEvent[] {
  const reader = createStreamReader()
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
}

const readText = (text: string) => read(bytes(text))

/** Cuts bytes at the given places, each taken modulo the length. */
function cut(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const sorted = [0, ...cuts.map((place) => place % (whole.length + 1)).toSorted((one, other) => one - other), whole.length]
  return sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end))
}

const story: readonly ProgressEvent[] = [
  { id: 1, message: 'Lese Paketlisten … größer, 字, 😀', step: 'packages', progress: 10, status: 'running' },
  { id: 2, message: '' },
  { id: 5, message: 'a {brace}, a "quote", a \\ and a\nline break\r\nor two', progress: 55.5 },
  { id: 6, message: '\u2028 id: 9 \u0000 data: x', status: 'failed', error: 'E: Unable to locate package' },
  { id: 7, message: 'done', status: 'done', progress: 100, result: { success: true, items: [{ id: 'x' }] } },
]

type Manner = { lineEnd: string; blanks: boolean; lines: 'one' | 'many'; comments: boolean; mark: boolean; space: boolean; ids: boolean }

const manner: fc.Arbitrary<Manner> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r', '\r\n'),
  blanks: fc.boolean(),
  lines: fc.constantFrom('one', 'many'),
  comments: fc.boolean(),
  mark: fc.boolean(),
  space: fc.boolean(),
  ids: fc.boolean(),
})

/** The story as a service of that manner would send it. */
function tell({ lineEnd, blanks, lines, comments, mark, space, ids }: Manner): Uint8Array {
  const colon = space ? ': ' : ':'
  const told = story.flatMap((event) => [
    ...(comments ? [': a comment', 'event: line', 'retry: 5', 'nonsense'] : []),
    ...(ids ? [`id${colon}${event.id}`] : []),
    ...JSON.stringify(event, null, lines === 'many' ? 2 : undefined)
      .split('\n')
      .map((line) => `data${colon}${line}`),
    ...(blanks ? [''] : []),
  ])
  return bytes((mark ? '\uFEFF' : '') + told.map((line) => line + lineEnd).join(''))
}

test('the reader reads what the writer writes', () => {
  expect(readText(story.map(writeEvent).join(''))).toEqual(story)
  expect(writeEvent({ id: 3, message: 'a\nb', progress: 5 })).toBe('id: 3\ndata: {"message":"a\\nb","id":3,"progress":5}\n\n')
  expect(writeEvent({ id: null, message: 'a' })).toBe('data: {"message":"a"}\n\n')
})

test('security 42: all line endings, blank lines or none, and 10,000 random chunkings give the same events', () => {
  const property = fc.property(manner, fc.array(fc.nat(), { maxLength: 40 }), (chosen, cuts) => {
    expect(read(...cut(tell(chosen), cuts))).toEqual(story)
  })
  fc.assert(property, { numRuns: seededRuns(10_000) })
})

test('security 42: any bytes give the same events however they are cut', () => {
  const pieces = fc.constantFrom(
    'id: 1',
    'id:',
    'data: {',
    'data:}',
    'data: x',
    '"a":1',
    '\n',
    '\r',
    '\r\n',
    ':',
    '\uFEFF',
    ' ',
    'é',
    '{}',
    'data: {"msg":"y"}',
  )
  const whole = fc.oneof(
    fc.array(pieces).map((list) => bytes(list.join(''))),
    fc.uint8Array({ maxLength: 200 }),
  )
  const property = fc.property(whole, fc.array(fc.nat()), (body, cuts) => {
    expect(read(...cut(body, cuts))).toEqual(read(body))
  })
  fc.assert(property, { numRuns: seededRuns(10_000) })
})

test('security 43: a character split at any byte is decoded correctly', () => {
  for (const lineEnd of ['\n', '\r', '\r\n']) {
    const whole = tell({ lineEnd, blanks: false, lines: 'one', comments: false, mark: true, space: true, ids: true })
    for (let place = 0; place <= whole.length; place += 1) expect(read(whole.subarray(0, place), whole.subarray(place))).toEqual(story)
    expect(read(...Array.from(whole, (byte) => new Uint8Array([byte])))).toEqual(story)
  }
})

test('security 43: invalid bytes spoil one character, and nothing of the next event', () => {
  const broken = new Uint8Array([...bytes('data: a'), 0xe2, 0x82, ...bytes('\nid: 2\ndata: b\n')])
  expect(read(broken)).toEqual([
    { id: null, message: 'a\uFFFD' },
    { id: 2, message: 'b' },
  ])
})

test.each<[string, string, ProgressEvent[]]>([
  ['an id alone is no event', 'id: 1\n\nid: 2\n', []],
  [
    'a new id ends the event before it',
    'id: 1\ndata: a\nid: 2\ndata: b\n',
    [
      { id: 1, message: 'a' },
      { id: 2, message: 'b' },
    ],
  ],
  ['JSON may be spread over lines', 'id: 1\ndata: {"message":\ndata: "a",\ndata: "id": 1}\n', [{ id: 1, message: 'a' }]],
  [
    'a whole object ends its event',
    'data: {"message":"a"}\ndata: {"message":"b"}\n',
    [
      { id: null, message: 'a' },
      { id: null, message: 'b' },
    ],
  ],
  ['msg stands for message', 'data: {"msg":"a","id":"4"}\n', [{ id: 4, message: 'a' }]],
  ['text is kept as the message', 'id: 3\ndata: Reading lists\ndata: Done\n\n', [{ id: 3, message: 'Reading lists\nDone' }]],
  [
    'JSON that is no object is text',
    'data: [1]\n\ndata: 5\n\ndata: null\n\n',
    [
      { id: null, message: '[1]' },
      { id: null, message: '5' },
      { id: null, message: 'null' },
    ],
  ],
  [
    'an id with NUL, a sign or letters is none',
    'id: 1\0\ndata: a\n\nid: -1\ndata: b\n\nid: x\ndata: c\n\n',
    [
      { id: null, message: 'a' },
      { id: null, message: 'b' },
      { id: null, message: 'c' },
    ],
  ],
  [
    'ids that repeat or go back are reported as they are',
    'id: 5\ndata: a\nid: 5\ndata: b\nid: 2\ndata: c\n',
    [
      { id: 5, message: 'a' },
      { id: 5, message: 'b' },
      { id: 2, message: 'c' },
    ],
  ],
  ['the id in the data counts before the line', 'id: 1\ndata: {"id":9,"message":"a"}\n', [{ id: 9, message: 'a' }]],
  [
    'progress is between 0 and 100',
    'data: {"progress":"62%"}\ndata: {"progress":-4}\ndata: {"progress":1e9}\ndata: {"progress":"soon"}\n',
    [
      { id: null, message: '', progress: 62 },
      { id: null, message: '', progress: 0 },
      { id: null, message: '', progress: 100 },
      { id: null, message: '' },
    ],
  ],
  [
    'an error that is an object is a failure with its text',
    'data: {"message":"a","error":{"code":5,"message":"E: no"}}\n',
    [{ id: null, message: 'a', status: 'failed', error: 'E: no' }],
  ],
  [
    'several errors are a failure with their texts',
    'data: {"message":"a","errors":["E: no","E: never"]}\n',
    [{ id: null, message: 'a', status: 'failed', error: 'E: no E: never' }],
  ],
  [
    'an error without a status is a failure',
    'data: {"message":"a","error":"E: no"}\n',
    [{ id: null, message: 'a', status: 'failed', error: 'E: no' }],
  ],
  ['an unknown status is none', 'data: {"message":"a","status":"completed"}\n', [{ id: null, message: 'a' }]],
  [
    'repeated names are not understood, but kept',
    'data: {"status":"failed","status":"done"}\n\n',
    [{ id: null, message: '{"status":"failed","status":"done"}' }],
  ],
  ['plain lines and HTML are no events', '<html>\nhello\n', []],
])('security 42: %s', (_, text, events) => {
  expect(readText(text)).toEqual(events)
})

test('an event cut in the middle is kept as the text it was, and never says done', () => {
  expect(readText('id: 8\ndata: {"message":"ready","status":"done"')).toEqual([{ id: 8, message: '{"message":"ready","status":"done"' }])
})

test('an event is reported as soon as its data is complete, not when the next begins', () => {
  const reader = createStreamReader()
  expect(reader.push(bytes('id: 1\ndata: {"message":"a"'))).toEqual([])
  expect(reader.push(bytes('}\n'))).toEqual([{ id: 1, message: 'a' }])
})

test('security 45: of a line without end 64 KB are kept, and what follows is read', () => {
  const reader = createStreamReader()
  const piece = bytes('x'.repeat(1_000_000))
  reader.push(bytes('id: 1\ndata: '))
  for (let sent = 0; sent < 50; sent += 1) expect(reader.push(piece)).toEqual([])
  const [long, next] = reader.push(bytes('\nid: 2\ndata: {"message":"b"}\n'))
  expect(long?.message.length).toBeLessThanOrEqual(65_536)
  expect(long?.message.length).toBeGreaterThan(60_000)
  expect(next).toEqual({ id: 2, message: 'b' })
})

test('security 45: of many lines that never become an object only the first are tried', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const events = readText(`data: {"a":[\n${'data: "}"}\n'.repeat(50_000)}\nid: 2\ndata: x\n`)
  const { length } = parse.mock.calls
  parse.mockRestore()
  expect(events).toHaveLength(2)
  expect(events[0]?.message.length).toBeLessThanOrEqual(65_536)
  expect(length).toBeGreaterThan(50)
  expect(length).toBeLessThan(150)
})
