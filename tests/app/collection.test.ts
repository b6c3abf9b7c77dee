/** A collection's rows: as they came while nothing is sorted, and arranged into groups of what matched. */
import { expect, test } from 'vitest'
import { filterRows, indexRows, sortRows } from '@/app/_shared/collection/rows'
import { arrangeMail, idsOfRow, mailCollection, messageRow } from '@/app/(portal)/servers/[serverId]/mail/mail-view'

const message = (id: string, sender: string, size = '100') =>
  messageRow({ id, size, date: '2026-11-21 10:17:00', sender, recipient: 'b@example.org' })

const some = [message('A', 'c@example.net', '9000000000'), message('B', 'a@example.net', '20000000000'), message('C', 'c@example.net', '5')]
const { whole, parse, print } = mailCollection.query

const namesFor = (address: string) => {
  const query = parse(new URLSearchParams(address))
  const sorted = sortRows(mailCollection, indexRows(mailCollection, some), query.column, query.descending)
  return filterRows(mailCollection, sorted, query).map(({ id }) => id)
}

test('without a column rows stay as they came; sizes are sorted as numbers, either way round', () => {
  expect(namesFor('')).toEqual(['A', 'B', 'C'])
  expect(namesFor('sort=size')).toEqual(['C', 'A', 'B'])
  expect(namesFor('sort=-size')).toEqual(['B', 'A', 'C'])
  expect(namesFor('sort=nothing')).toEqual(['A', 'B', 'C'])
  expect(print(whole)).toBe('')
})

test('grouping counts every message, and is part of the address', () => {
  const grouped = { ...whole, grouped: true }
  expect([print(grouped), mailCollection.query.isFiltered(grouped)]).toEqual(['?by=sender', false])
  expect(parse(new URLSearchParams('by=sender')).grouped).toBe(true)
  expect(mailCollection.query.isFiltered({ ...grouped, search: 'c@' })).toBe(true)
})

test('groups hold what matched, those that are open are followed by their messages, and a group stands for all of its own', () => {
  const rows = arrangeMail(some, new Set(['c@example.net']))
  expect(rows.map(({ id }) => id)).toEqual(['from c@example.net', 'A', 'C', 'from a@example.net'])
  expect(rows.map(idsOfRow)).toEqual([['A', 'C'], ['A'], ['C'], ['B']])
})
