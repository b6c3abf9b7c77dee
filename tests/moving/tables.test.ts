/** In which order tables are copied, and what becomes of SQLite's values. */
import { expect, test } from 'vitest'
import { convert, order } from '@/lib/moving/tables'

const table = (name: string) => ({ name, columns: [] })

test('a table is copied after those that it refers to, and a circle is refused', () => {
  const references = [
    { from: 'Label', to: 'Server' },
    { from: 'Server', to: 'Team' },
    { from: 'Label', to: 'Team' },
  ]
  const names = order([table('Label'), table('Server'), table('Team')], references).map(({ name }) => name)
  expect(names).toEqual(['Team', 'Server', 'Label'])
  expect(() =>
    order(
      [table('A'), table('B')],
      [
        { from: 'A', to: 'B' },
        { from: 'B', to: 'A' },
      ],
    ),
  ).toThrow(/refer to each other: A, B/)
})

test.each([
  [1, 'boolean', true],
  [0n, 'boolean', false],
  [null, 'boolean', null],
  [new Uint8Array([0, 255]), 'bytea', '\\x00ff'],
  ['2026-11-27T03:00:00.123+00:00', 'timestamp without time zone', '2026-11-27T03:00:00.123+00:00'],
  [1_764_212_400_000, 'timestamp without time zone', '2025-11-27T03:00:00.000Z'],
  [9_007_199_254_740_993n, 'bigint', '9007199254740993'],
  ['0', 'text', '0'],
])('%o for a column of %s is written as %o', (value, type, expected) => {
  expect(convert(value, type)).toEqual(expected)
})
