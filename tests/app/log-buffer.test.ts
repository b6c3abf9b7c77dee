import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendContent, emptyBuffer, type LogBuffer, maxLines } from '@/app/_shared/logs/log-buffer'
import { findLines, findMark, markOf } from '@/app/_shared/logs/log-viewer'
import { readAnsi, withoutAnsi } from '@/app/_ui/log-line'

const textOf = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
const told = (buffer: LogBuffer) => buffer.lines.map(({ number, text, gap }) => (gap ? `gap ${number} ${text}` : `${number} ${text}`))
const readAll = (...contents: string[]) => contents.reduce((buffer, content) => appendContent(buffer, content), emptyBuffer)

test('only new lines are added, even while the beginning of the returned part moves on', () => {
  expect(told(readAll(textOf('a', 'b'), textOf('a', 'b', 'c'), textOf('b', 'c', 'd', 'e')))).toEqual(['1 a', '2 b', '3 c', '4 d', '5 e'])
  const once = readAll(textOf('a', 'b'))
  expect(appendContent(once, textOf('a', 'b'))).toBe(once)
  expect(appendContent(once, '')).toBe(once)
})

test('if nothing overlaps with the lines held, a gap is marked', () => {
  expect(told(readAll(textOf('a', 'b'), textOf('x', 'y'), textOf('y', 'z')))).toEqual(['1 a', '2 b', 'gap 3 x', '4 y', '5 z'])
})

test('identical lines are distinguished by their neighbours', () => {
  expect(told(readAll(textOf('a', 'x', 'x'), textOf('x', 'x', 'x', 'b')))).toEqual(['1 a', '2 x', '3 x', '4 x', '5 b'])
  expect(told(readAll(textOf('x', 'y', 'x', 'y', 'x'), textOf('x', 'y', 'x', 'z')))).toEqual(['1 x', '2 y', '3 x', '4 y', '5 x', '6 z'])
})

test('a line that had no end yet is replaced by what became of it, and one that begins in the middle is passed by', () => {
  expect(told(readAll('a\nhal', 'a\nhalf\nb'))).toEqual(['1 a', '2 half', '3 b'])
  expect(told(readAll('a\nb', 'a\nb'))).toEqual(['1 a', '2 b'])
  expect(told(readAll(textOf('one', 'two', 'three'), textOf('wo', 'three', 'four')))).toEqual(['1 one', '2 two', '3 three', '4 four'])
})

test('however a log grows and whichever part is returned, nothing is lost or duplicated unless a gap says so', () => {
  const growth = fc.array(fc.record({ more: fc.integer({ min: 0, max: 12 }), window: fc.integer({ min: 1, max: 20 }) }), { maxLength: 12 })
  fc.assert(
    fc.property(growth, (steps) => {
      let written = 5
      let from = 0
      let buffer = emptyBuffer
      const line = (n: number) => `line ${n}`
      for (const { more, window } of steps) {
        written += more
        from = Math.max(from, written - window)
        buffer = appendContent(buffer, textOf(...Array.from({ length: written - from }, (_, index) => line(from + index))))
      }
      const numbers = buffer.lines.map(({ text }) => Number(text.slice(5)))
      for (const [index, number] of numbers.entries()) {
        const before = numbers[index - 1]
        const follows = before === undefined || number === before + 1
        expect(follows || buffer.lines[index]?.gap === true).toBe(true)
        if (before !== undefined) expect(number).toBeGreaterThan(before)
      }
    }),
  )
})

test('100,000 lines are held and keep their numbers; none is dropped while the user reads further up', () => {
  const many = textOf(...Array.from({ length: maxLines }, (_, index) => `line ${index}`))
  const full = appendContent(emptyBuffer, many)
  const more = `line ${maxLines - 1}\nnew\n`
  const moved = appendContent(full, more)
  expect([moved.lines.length, moved.lines[0]?.number, moved.lines.at(-1)]).toEqual([maxLines, 2, { number: maxLines + 1, text: 'new' }])
  expect(appendContent(full, more, true).lines.length).toBe(maxLines + 1)
  expect(findLines(moved.lines, 'LINE 99999')).toEqual([maxLines - 2])
  expect(findLines(moved.lines, '')).toEqual([])
})

test('a line is found again by its mark after others went and came, and by its words where the line before it went', () => {
  const before = readAll(textOf('a', 'twin', 'b', 'twin')).lines
  const after = readAll(textOf('b', 'twin', 'c', 'twin')).lines
  expect(findMark(after, markOf(before, 3))).toBe(1)
  expect(findMark(after, markOf(before, 1))).toBe(3)
  expect(findMark(after, markOf(before, 0))).toBe(-1)
  expect(findMark(after, 'nonsense')).toBe(-1)
})

test('colours of a terminal become pieces of text; what is no colour of ours leaves the ink as it was', () => {
  expect(readAnsi('plain')).toEqual([{ text: 'plain', className: '' }])
  expect(readAnsi('\u001b[1;31mred\u001b[0m \u001b[92mgreen\u001b[38;5;208m still\u001b[39m<b>')).toEqual([
    { text: 'red', className: 'text-terminal-red font-semibold' },
    { text: ' ', className: '' },
    { text: 'green', className: 'text-terminal-green' },
    { text: ' still', className: 'text-terminal-green' },
    { text: '<b>', className: '' },
  ])
  expect(readAnsi('\u001b[38;2;31;32;33mx\u001b[mand\u001b[7my')).toEqual([
    { text: 'x', className: '' },
    { text: 'and', className: '' },
    { text: 'y', className: '' },
  ])
  expect(withoutAnsi('a\u001b[1;31mb\u001b[0mc')).toBe('abc')
})
