import { expect, test } from 'vitest'
import { formatCut } from '@/app/_shared/cut'

test('a list that is too long says how much of it is shown', () => {
  expect(formatCut({ shown: 20_000, total: 60_000 }, 'server')).toBe('Showing the first 20,000 of 60,000 servers')
})
