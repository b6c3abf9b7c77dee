/** Whether the list says that a domain points to its server. */
import { expect, test } from 'vitest'
import { comparePointing } from '@/lib/portal/subjects/sites/row'

test.each([
  ['192.0.2.10', '192.0.2.10', 'yes'],
  ['192.0.2.11', '192.0.2.10', 'no'],
  ['', '192.0.2.10', 'no'],
  ['192.0.2.11, 192.0.2.10', '192.0.2.10', 'yes'],
  ['192.0.2.11,192.0.2.12', '192.0.2.10', 'no'],
  ['2001:DB8::1, 192.0.2.10', '2001:db8::1', 'yes'],
  ['cdn.example', '192.0.2.10', ''],
  ['192.0.2.11, cdn.example', '192.0.2.10', ''],
  ['192.0.2.10, cdn.example', '192.0.2.10', 'yes'],
  ['192.0.2.10', 'web.example', ''],
  ['192.0.2.10', null, ''],
] as const)('a domain with %j on a server with %j: %j', (address, serverAddress, points) => {
  expect(comparePointing({ address, serverAddress })).toBe(points)
})
