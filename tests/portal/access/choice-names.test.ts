import { expect, test } from 'vitest'
import { tellApart } from '@/lib/portal/access/choice-names'

type Row = readonly [id: string, name: string, label: string]

const shown = (rows: readonly Row[]) =>
  Object.fromEntries(
    tellApart(
      rows.map(([id, name, label]) => ({ id, name, label })),
      ({ label }) => label,
    ),
  )

test('only servers that have the same name in different connections get the label of theirs', () => {
  const web: readonly Row[] = [
    ['1', 'web', 'Berlin'],
    ['2', 'web', 'Oslo'],
  ]
  expect(shown([['1', 'web', 'Berlin']])).toEqual({ 1: 'web' })
  expect(shown([...web, ['3', 'mail', 'Oslo']])).toEqual({ 1: 'web · Berlin', 2: 'web · Oslo', 3: 'mail' })
  expect(shown([...web, ['3', 'web', 'Oslo']])).toEqual({ 1: 'web · Berlin', 2: 'web · Oslo', 3: 'web · Oslo' })
})

test('one server that several connections list keeps its name', () => {
  expect(
    shown([
      ['1', 'web', 'Berlin'],
      ['1', 'web', 'Oslo'],
    ]),
  ).toEqual({ 1: 'web' })
})

test('two servers of one connection are not told apart by it', () => {
  expect(
    shown([
      ['1', 'web', 'Berlin'],
      ['2', 'web', 'Berlin'],
    ]),
  ).toEqual({ 1: 'web', 2: 'web' })
})
