/** Where a site is opened in a browser. */
import { expect, test } from 'vitest'
import { webAddressOf } from '@/app/_shared/sites/web-address'

test('a site is opened at its domain, by https while SSL is on', () => {
  expect(webAddressOf({ domain: 'example.org', ssl: 'off', sandbox: false })).toBe('http://example.org/')
  expect(webAddressOf({ domain: 'żółw.example.org', ssl: 'on', sandbox: false })).toBe('https://xn--w-uga1v8h.example.org/')
  expect(webAddressOf({ domain: 'example.org/elsewhere', ssl: 'on', sandbox: false })).toBeNull()
})

test('a simulated site leads nowhere: its domain belongs to somebody else on the internet', () => {
  expect(webAddressOf({ domain: 'example.org', ssl: 'on', sandbox: true })).toBeNull()
})
