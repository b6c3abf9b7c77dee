import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCsvLine } from '@/lib/text/csv'
import { readCsv } from '@/tests/support/read-csv'

const formula = /^[\s\p{Cf}\p{Cc}"]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u

// Whatever other programs cut a line at.
const cutElsewhere = (line: string) => line.slice(0, -2).split(/[;|\t\r\n]/)

const parts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '=',
    '＝',
    '+1',
    '-',
    '@',
    ';',
    '|',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    '""',
    "'",
    ',',
    ' ',
    '\ufeff',
    '\u200b',
    '\u202e',
    '\0',
    'x',
  ),
)
const texts = fc.array(parts, { maxLength: 8 }).map((all) => all.join(''))

test('any cells are read back as the same number of cells in one line, with nothing added but apostrophes', () => {
  const readable = (text: string) =>
    text
      .replace(
        /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
      )
      .replace(/\p{Cc}/gu, (control) => (/[\t\r\n]/.test(control) ? control : '\ufffd'))
      .replaceAll("'", '')
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (cells) => {
      const rows = readCsv(formatCsvLine(cells))
      expect(rows).toHaveLength(1)
      expect(rows[0]?.map((cell) => cell.replaceAll("'", ''))).toEqual(cells.map(readable))
    }),
    { numRuns: 2000 },
  )
})

test('no cell begins like a formula, whether a reader respects quotes or splits at another separator', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const line = formatCsvLine([text])
      expect(readCsv(line)[0]?.[0]).not.toMatch(formula)
      for (const piece of cutElsewhere(line)) expect(piece).not.toMatch(formula)
    }),
    { numRuns: 5000 },
  )
})

for (const text of [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\u00a0=1',
  '\ufeff=1',
  '\u200b=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '"=1',
]) {
  test(`${JSON.stringify(text)} becomes text by an apostrophe`, () => {
    const [[cell = ''] = []] = readCsv(formatCsvLine([text]))
    expect(cell.startsWith("'")).toBe(true)
  })
}

test('a formula after another separator or a line end inside a cell becomes text too', () => {
  expect(formatCsvLine([';=1', 'a;=1', 'a\n@x', 'a| -1'])).toBe(`";'=1","a;'=1","a\n'@x","a|' -1"\r\n`)
})

test('plain cells stay plain', () => {
  expect(formatCsvLine(['web-1', '198.51.100.7', '', 'a b'])).toBe('web-1,198.51.100.7,,a b\r\n')
})

test('a control character, which may end the text for a reader, becomes a visible mark', () => {
  expect(formatCsvLine(['a\0b', '\u0085=1'])).toBe('a\ufffdb,\ufffd=1\r\n')
})
