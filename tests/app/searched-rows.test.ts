/** The search above a table: every word must be in a row. */
import { expect, test } from 'vitest'
import { searchRows } from '@/app/_shared/collection/searched-rows'

const rows = ['Ada Marsh ada@northwind.test Admin', 'Odd Berg odd@northwind.test Operator']
const search = (text: string) => searchRows(rows, text, (row) => row)

test('all words must match, in any order and letter case; without a word all rows are left', () => {
  expect(search('NORTHWIND marsh')).toEqual([rows[0]])
  expect(search('odd ada')).toEqual([])
  expect(search('  ')).toBe(rows)
})
