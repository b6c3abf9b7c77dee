/** What the page Email of a site makes of the addresses that a service lists. */
import { expect, test } from 'vitest'
import { addressOf, addressRows } from '@/app/(portal)/sites/[siteId]/email/address-columns'

test('an address that is listed once for each of its destinations is one row, and the one being removed is marked', () => {
  const listed = [
    { user: 'info', destination: 'a@example.net' },
    { user: 'sales', destination: 'c@example.net' },
    { user: 'info', destination: 'b@example.net' },
  ]
  expect(addressRows(listed, 'first.example', 'sales')).toEqual([
    { id: 'info', address: 'info@first.example', destination: 'a@example.net, b@example.net', removing: false },
    { id: 'sales', address: 'sales@first.example', destination: 'c@example.net', removing: true },
  ])
})

test('a service that lists whole addresses gets no second domain, and people read theirs in their own letters', () => {
  expect(addressOf('info@first.example', 'first.example')).toBe('info@first.example')
  const [row] = addressRows([{ user: 'info', destination: '' }], 'xn--mnchen-3ya.example', null)
  expect(row?.address).toBe('info@münchen.example')
})
