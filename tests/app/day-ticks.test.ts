/** The last day and a share as a reader without eyes for colours gets them. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DayTicks, describeDay } from '@/app/_ui/day-ticks'
import { SmallMeter } from '@/app/_ui/small-meter'

const from = Date.parse('2026-11-27T03:00:00Z')
const day = (...failed: (readonly [at: number, letter: string])[]) =>
  Array.from({ length: 24 }, (_, at) => failed.find(([one]) => one === at)?.[1] ?? 'u').join('')

test('a day is one sentence: nothing checked, nothing failed, or how often and when last', () => {
  expect(describeDay('-'.repeat(24), from)).toBe('Not checked in the last day')
  expect(describeDay(day(), from)).toBe('Reached in every check of the last day')
  expect(describeDay(day([2, 'd']), from)).toBe('Checks failed in 1 hour of the last day, last from 05:00 UTC')
  expect(describeDay(day([2, 'd'], [23, 'p']), from)).toBe('Checks failed in 2 hours of the last day, last from 02:00 UTC')
})

test('each letter has a height of its own, so that the colour is not needed', () => {
  const markup = renderToStaticMarkup(createElement(DayTicks, { day: 'udp-', fromMs: from }))
  expect(new Set(markup.match(/h-(3\.5|2\.5|1\.5|0\.5)/g)).size).toBe(4)
  expect(markup).toContain('role="img"')
})

test('a meter says its share in figures; an unknown one is empty', () => {
  expect(renderToStaticMarkup(createElement(SmallMeter, { percent: 92 }))).toMatch(/width:92%.*92 %/)
  expect(renderToStaticMarkup(createElement(SmallMeter, { percent: null }))).toBe('')
})
