/** Dates and times in fields: one format, whatever the browser's language, and what is understood of what people type. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TimeField } from '@/app/_ui/time-field'
import { isoOf, parseTyped, wallTimeOf } from '@/app/_ui/time-in-zone'

test.each([
  ['date', '2026-11-28', '2026-11-28'],
  ['date', ' 2026/3/8 ', '2026-03-08'],
  ['date', '28.11.2026', '2026-11-28'],
  ['date', '1. 2. 2027', '2027-02-01'],
  ['date', '11/28/2026', null],
  ['date', '2026-02-31', null],
  ['date', '2026-11', null],
  ['date', 'tomorrow', null],
  ['time', '9:05', '09:05'],
  ['time', '14.05', '14:05'],
  ['time', '24:00', null],
  ['time', '2 pm', null],
  ['moment', '2026-11-28 14:05', '2026-11-28 14:05'],
  ['moment', '2026-11-28T14:05', '2026-11-28 14:05'],
  ['moment', '28. 11. 2026, 9:05', '2026-11-28 09:05'],
  ['moment', '2026-11-28', null],
  ['moment', '14:05', null],
] as const)('a %s typed as %j is %j', (kind, typed, understood) => {
  expect(parseTyped(kind, typed)).toBe(understood)
})

test('a moment is shown in the reader’s time zone as fields have it, and read back from there', () => {
  const shown = wallTimeOf('2026-11-27T23:30:00.000Z', 'Europe/Berlin')
  expect(shown).toBe('2026-11-28 00:30')
  expect(isoOf(shown, 'Europe/Berlin')).toBe('2026-11-27T23:30:00.000Z')
  expect(isoOf('2026-02-31 10:00', 'Europe/Berlin')).toBeNull()
})

test('without scripts a field is text with the format beside it, and is sent by its name', () => {
  const markup = renderToStaticMarkup(
    createElement(TimeField, { kind: 'date', name: 'endsOn', label: 'Last day', defaultValue: '2027-01-31' }),
  )
  const field = /<input[^>]* name="endsOn"[^>]*>/.exec(markup)?.[0] ?? ''
  expect(field).not.toMatch(/type="(date|time|datetime-local)"/)
  expect(field).toContain('value="2027-01-31"')
  expect(field).toContain('placeholder="YYYY-MM-DD"')
  expect(field).toContain('title="Enter a date such as 2026-11-28."')
})
