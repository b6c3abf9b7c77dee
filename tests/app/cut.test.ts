import { expect, test } from 'vitest'
import { formatCut, formatUnreadable } from '@/app/_shared/reads/read-error'

test('a list that is too long says how much of it is shown', () => {
  expect(formatCut({ shown: 20_000, total: 60_000 }, 'server')).toBe('Showing the first 20,000 of 60,000 servers')
})

test('items that could not be read are counted in a sentence', () => {
  expect(formatUnreadable(1)).toBe('1 item could not be read.')
  expect(formatUnreadable(1_200)).toBe('1,200 items could not be read.')
})
