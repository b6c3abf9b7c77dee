/** A row of Activity names its target once. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RunTable } from '@/app/(portal)/activity/run-table'
import type { ActivityEntry } from '@/lib/portal/views/activity/activity'

const entry = (description: string, target: ActivityEntry['target']): ActivityEntry => ({
  seq: 1,
  at: '2026-11-28T02:00:00.000Z',
  who: 'Robin',
  description,
  target,
  result: 'done',
  reason: null,
  through: null,
  peer: null,
  jobId: null,
  mark: null,
  undoes: null,
})

const countIn = (description: string, target: ActivityEntry['target']): number => {
  const markup = renderToStaticMarkup(createElement(RunTable, { entries: [entry(description, target)], zone: 'UTC' }))
  return markup.split(target?.name ?? '').length - 1
}

test('a target without a page, which the sentence names, is not named again', () => {
  expect(countIn('Tested the backup target Paris', { name: 'Paris', href: null })).toBe(1)
  expect(countIn('Renamed the backup target Paris to Oslo', { name: 'Paris', href: null })).toBe(1)
  // Part of another word is no name.
  expect(countIn('Tested the backup target Parisian', { name: 'Paris', href: null })).toBe(2)
  expect(countIn('Removed a token', { name: 'Paris', href: null })).toBe(1)
})

test('the link to a target is there in any case', () => {
  expect(countIn('Added the site harbour.example', { name: 'harbour.example', href: '/sites/1' })).toBe(2)
})
