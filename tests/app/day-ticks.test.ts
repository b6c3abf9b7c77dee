/** The last day and a share as a reader without eyes for colours gets them. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DayTicks, describeDay } from '@/app/_ui/day-ticks'
import { SmallMeter } from '@/app/_ui/meter'

const from = Date.parse('2026-11-27T03:00:00Z')
const day = (...failed: (readonly [at: number, letter: string])[]) =>
  Array.from({ length: 24 }, (_, at) => failed.find(([one]) => one === at)?.[1] ?? 'u').join('')

test('a day is one sentence: nothing failed, or how often and when last', () => {
  expect(describeDay(day(), from)).toBe('Reached in every check of the last day')
  expect(describeDay(day([2, 'd']), from)).toBe('Checks failed in 1 hour of the last day, last from 05:00 UTC')
  expect(describeDay(day([2, 'd'], [23, 'p']), from)).toBe('Checks failed in 2 hours of the last day, last from 02:00 UTC')
})

test('each letter has another height, so that the colour is not needed; a day takes few elements', () => {
  const markup = renderToStaticMarkup(createElement(DayTicks, { day: 'udp-'.repeat(6), fromMs: from }))
  expect(new Set(markup.match(/h3v\d+/g)).size).toBe(4)
  expect(markup.match(/<path/g)).toHaveLength(4)
  expect(markup).toContain('role="img"')
})

test('a server that was never checked has no bars', () => {
  expect(renderToStaticMarkup(createElement(DayTicks, { day: '-'.repeat(24), fromMs: from }))).toBe('')
})

test('a meter says its share in figures; an unknown one is empty', () => {
  expect(renderToStaticMarkup(createElement(SmallMeter, { percent: 92 }))).toMatch(/width:92%.*92 %/)
  expect(renderToStaticMarkup(createElement(SmallMeter, { percent: null }))).toBe('')
})
