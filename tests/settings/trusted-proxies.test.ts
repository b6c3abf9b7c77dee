/** TRUSTED_PROXIES: what it takes, what it refuses, and whom it makes the portal believe. */
import { expect, test } from 'vitest'
import { findClient } from '@/lib/portal/base/request/forwarded'
import { parseRanges, type Range } from '@/lib/settings/ranges'
import { parseSettings } from '@/lib/settings/settings'

const trusting = (...texts: string[]): readonly Range[] => {
  const ranges = parseRanges(texts)
  if ('notARange' in ranges) throw new Error(ranges.notARange)
  return ranges
}

test('security 12: nobody is trusted unless told, so what a client claims about its address counts for nothing', () => {
  expect(parseSettings({}, '/').trustedProxies).toEqual([])
  expect(findClient('192.0.2.7', '8.8.8.8', [])).toBe('192.0.2.7')
})

test.each([
  ['the proxy names the client', '127.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['a client that invents entries is still known by what the proxy saw', '127.0.0.1', '8.8.8.8, 127.0.0.1, 192.0.2.7', '192.0.2.7'],
  ['a chain of trusted proxies is followed to its beginning', '127.0.0.1', '8.8.8.8, 192.0.2.7, 10.1.2.3', '192.0.2.7'],
  ['a peer that is no proxy is believed nothing', '192.0.2.7', '8.8.8.8', '192.0.2.7'],
  ['an IPv4 proxy on an IPv6 socket is the same proxy', '::ffff:127.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['a proxy that says nothing is the peer', '127.0.0.1', undefined, '127.0.0.1'],
  ['a word that is no address ends the reading', '127.0.0.1', '8.8.8.8, unknown', '127.0.0.1'],
  ['an address with a port is no address', '127.0.0.1', '192.0.2.7:4711', '127.0.0.1'],
])('security 12: %s', (_, socket, header, client) => {
  expect(findClient(socket, header, trusting('127.0.0.1', '10.0.0.0/8'))).toBe(client)
})

test('headers sent twice are one list', () => {
  expect(findClient('127.0.0.1', ['8.8.8.8', '192.0.2.7'], trusting('127.0.0.1'))).toBe('192.0.2.7')
})

test.each(['all', '10', '10.0.0.0/33', 'proxy.example.com', '10.0.0.0/8;x'])('%j is refused by name', (text) => {
  expect(() => parseSettings({ TRUSTED_PROXIES: `127.0.0.1,${text}` }, '/')).toThrow(`TRUSTED_PROXIES is invalid: ${text} `)
})

test.each(['127.0.0.1', '::1', '10.0.0.0/8, fd00::/8'])('%j is taken', (text) => {
  expect(parseSettings({ TRUSTED_PROXIES: text }, '/').trustedProxies.length).toBeGreaterThan(0)
})
