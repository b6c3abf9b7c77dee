/** The strip and the lines of a server's page, worked out from samples. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawLine } from '@/app/(portal)/servers/[serverId]/line-path'
import { formatPulse, formatTick, pathsOf, pulseOf, ticks } from '@/app/(portal)/servers/[serverId]/pulse'
import { seededRuns } from '@/tests/support/seeds'

const to = 29_921_835
const slot = (ago: number, checks: number, reachable: number) => ({
  from: to - ago * 15,
  checks,
  reachable,
  diskUsed: null,
  diskTotal: null,
  memUsed: null,
  memTotal: null,
})

test('a day becomes 96 ticks, the newest last: reachable, not, in part, not known', () => {
  const pulse = pulseOf({ to, slots: [slot(96, 3, 3), slot(95, 3, 0), slot(2, 3, 1), slot(1, 1, 1)] })
  expect(pulse).toBe(`10${'-'.repeat(92)}~1`)
  expect([...'10~-'].map(formatTick)).toEqual(['reachable', 'unreachable', 'unreachable for a part of it', 'not checked'])
  expect(pulseOf({ to, slots: [slot(97, 1, 1), slot(0, 1, 1)] })).toBe('-'.repeat(96))
})

test('every tick is drawn once, at its place, whatever the day was like', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...'10~-'), { minLength: ticks, maxLength: ticks }), (signs) => {
      const { up, down, none } = pathsOf(signs.join(''))
      const columnsOf = (path: string) => [...path.matchAll(/M(\d+) /g)].map(([, x]) => Number(x) / 4)
      expect(columnsOf(up)).toEqual(signs.flatMap((sign, index) => (sign === '1' ? index : [])))
      expect(columnsOf(down)).toEqual(signs.flatMap((sign, index) => (sign === '0' || sign === '~' ? index : [])))
      expect([...columnsOf(up), ...columnsOf(down), ...columnsOf(none)].sort((a, b) => a - b)).toEqual(signs.map((_, index) => index))
    }),
    { numRuns: seededRuns(200) },
  )
})

test.each([
  ['-'.repeat(96), 'No check in the last 24 hours'],
  ['1'.repeat(96), 'Reachable at every check of the last 24 hours'],
  [`${'1'.repeat(40)}${'-'.repeat(20)}${'1'.repeat(36)}`, 'Reachable at every check of the last 24 hours'],
  [`${'-'.repeat(95)}1`, 'Reachable at every check, the first less than 15 minutes ago'],
  [`${'-'.repeat(86)}${'1'.repeat(10)}`, 'Reachable at every check, the first less than 2 h 30 min ago'],
  [`${'1'.repeat(94)}~0`, 'Unreachable for about 30 minutes of the last 24 hours'],
  [`${'1'.repeat(87)}${'0'.repeat(9)}`, 'Unreachable for about 2 h 15 min of the last 24 hours'],
])('a day is described in a sentence', (pulse, sentence) => {
  expect(formatPulse(pulse)).toBe(sentence)
})

const frame = { from: 0, to: 100, top: 50, width: 200, height: 10, bridge: 20 }

test('a line is broken where nobody looked for long, and a figure alone is a dot', () => {
  const spots = [
    { at: 0, value: 0 },
    { at: 20, value: 25 },
    { at: 25, value: null },
    { at: 60, value: 50 },
  ]
  expect(drawLine(spots, frame)).toEqual({ line: 'M0 10L40 5M120 0h0', area: 'M0 10L40 5L40 10L0 10z' })
  expect(drawLine([], frame)).toEqual({ line: '', area: '' })
})

test('nothing is drawn outside of its frame, and no figure makes a path that cannot be read', () => {
  const spot = fc.record({ at: fc.integer({ min: -500, max: 500 }), value: fc.option(fc.double({ noNaN: true, min: -1e15, max: 1e15 })) })
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 30 }), (spots) => {
      const { line, area } = drawLine(
        spots.sort((a, b) => a.at - b.at),
        frame,
      )
      for (const path of [line, area]) {
        expect(path).toMatch(/^([ML]\d+(\.\d)? \d+(\.\d)?(h0|z)?)*$/)
        for (const [, x, y] of path.matchAll(/[ML](\S+?) ([\d.]+)/g)) {
          expect(Number(x)).toBeLessThanOrEqual(frame.width)
          expect(Number(y)).toBeLessThanOrEqual(frame.height)
        }
      }
    }),
    { numRuns: seededRuns(300) },
  )
})
