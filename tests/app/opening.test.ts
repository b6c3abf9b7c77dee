/** What a click on a link shows before the page is there: the skeleton of each page has its shape. */
import { readdirSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { PageSkeleton } from '@/app/_shared/opening/page-skeleton'
import { shapeOf, shapes, sharesHead } from '@/app/_shared/opening/shapes'
import { isPartOf, offerOpening, openPage } from '@/app/_ui/opening'

const routes = readdirSync('app/(portal)', { recursive: true, encoding: 'utf8' })
  .filter((name) => name === 'page.tsx' || name.endsWith('/page.tsx'))
  .map((name) => `/${name.replace(/\/?page\.tsx$/, '').replace(/\(\w+\)\/?/, '')}`)

test('every page has a skeleton, and every skeleton a page', () => {
  expect(Object.keys(shapes).sort()).toEqual(routes.sort())
})

test.each([
  ['/', 'Home'],
  ['/servers', 'Servers'],
  ['/servers/new', 'Add server'],
  ['/team/channels', 'Team channels'],
  ['/keys/new', 'Add connection'],
  ['/servers/abc', ''],
  ['/nowhere/at/all', ''],
])('%s opens with the title “%s”', (path, title) => {
  expect(shapeOf(path).title).toBe(title)
})

test.each(Object.entries(shapes))('the skeleton of %s has boxes, and no text of the page', (_, shape) => {
  const draw = (headless: boolean) => renderToStaticMarkup(createElement(PageSkeleton, { shape, headless, waiting: 'Opening.' }))
  for (const drawn of [draw(false), draw(true)]) {
    expect(drawn).not.toMatch(/<(h1|h2|a|button|input)\b/)
    expect(drawn.replace(/<[^>]+>/g, '')).toBe('Opening.')
    expect(drawn).toMatch(/bg-ink\/8|bg-terminal/)
  }
  expect(draw(false).includes('<header')).toBe(true)
  expect(draw(true).includes('<header')).toBe(false)
})

test('a page of a server or site has its tabs, and one of the same server or site keeps its head', () => {
  expect(shapeOf('/servers/abc/logs')).toEqual({ title: '', body: 'log', below: true, tabs: true })
  expect(shapeOf('/servers/new').tabs).toBeUndefined()
  expect(sharesHead('/servers/abc', '/servers/abc/cron')).toBe(true)
  expect(sharesHead('/sites/abc/ssl', '/sites/abc')).toBe(true)
  expect(sharesHead('/servers/abc', '/servers/other')).toBe(false)
  expect(sharesHead('/servers/abc', '/sites/abc')).toBe(false)
  expect(sharesHead('/servers/new', '/servers/new')).toBe(false)
  expect(sharesHead('/servers', '/servers')).toBe(false)
})

test('a link to a part of the current page does not open the page again', () => {
  const here = 'https://gatehouse.example/account?a=1#top'
  expect(isPartOf('#passkeys', here)).toBe(true)
  expect(isPartOf('/account?a=1#passkeys', here)).toBe(true)
  expect(isPartOf('/account#passkeys', here)).toBe(false)
  expect(isPartOf('/account?a=1', here)).toBe(false)
})

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

test('the frame opens pages while it is registered', () => {
  const opener = vi.fn()
  expect(openPage('/servers')).toBe(false)
  ends.push(offerOpening(opener))
  expect(openPage('/servers')).toBe(true)
  expect(opener.mock.calls).toEqual([['/servers']])
  ends.pop()?.()
  expect(openPage('/sites')).toBe(false)
})
