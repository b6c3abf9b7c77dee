/** A field with many choices before the page's scripts run, and how its list is searched. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Choice, choicesShown } from '@/app/_ui/choice-list'
import { SearchSelect } from '@/app/_ui/search-select'

const named = (count: number): Choice[] =>
  Array.from({ length: count }, (_, index) => ({ value: `id-${index}`, label: `web-${index}`, note: `192.0.2.${index}` }))

const shown = (query: string, { count = 900, chosen = 'id-0' } = {}) => choicesShown(named(count), chosen, query).map(({ value }) => value)

test('without scripts every choice is an option of a plain menu that sends the value', () => {
  const markup = renderToStaticMarkup(createElement(SearchSelect, { name: 'serverId', choices: named(900), value: 'id-7' }))
  expect(markup).toMatch(/<select[^>]* name="serverId"/)
  expect(markup.split('<option').length - 1).toBe(900)
  expect(markup).toContain('<option value="id-7" selected="">web-7 (192.0.2.7)</option>')
  expect(markup.split('selected=""').length - 1).toBe(1)
})

test('a value that is no choice any more gives way to the first', () => {
  const markup = renderToStaticMarkup(createElement(SearchSelect, { choices: named(3), defaultValue: 'gone' }))
  expect(markup).toContain('<option value="id-0" selected="">')
})

test('choices are found by label and note, the best match first', () => {
  expect(shown('web-89')[0]).toBe('id-89')
  expect(shown('192.0.2.77')[0]).toBe('id-77')
  expect(shown('WEB 412')).toEqual(['id-412'])
  expect(shown('nothing like it')).toEqual([])
})

test('unsearched, choices keep their order; of more than 200 the chosen one is never missing', () => {
  expect(shown('', { count: 3 })).toEqual(['id-0', 'id-1', 'id-2'])
  expect(shown('  ', { chosen: 'id-800' }).slice(0, 2)).toEqual(['id-800', 'id-0'])
  expect(shown('', { chosen: 'id-5' }).slice(0, 2)).toEqual(['id-0', 'id-1'])
  expect(shown('', { chosen: 'id-5' })).toHaveLength(200)
})
