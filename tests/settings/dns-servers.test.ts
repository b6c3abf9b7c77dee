import { expect, test } from 'vitest'
import { parseSettings, SettingsError } from '@/lib/settings/settings'

test('DNS_SERVERS takes addresses with and without a port; without it the resolvers of the system are used', () => {
  expect(parseSettings({}, '/').dnsServers).toEqual([])
  const given = '192.0.2.1, 192.0.2.2:5353 2001:db8::1,[2001:db8::2]:53'
  expect(parseSettings({ DNS_SERVERS: given }, '/').dnsServers).toEqual(['192.0.2.1', '192.0.2.2:5353', '2001:db8::1', '[2001:db8::2]:53'])
})

test.each(['dns.example.org', '192.0.2', '192.0.2.1:0', '192.0.2.1:65536', '[192.0.2.1]:53', '[2001:db8::2', 'a:53'])(
  'DNS_SERVERS=%s is refused by name',
  (given) => {
    expect(() => parseSettings({ DNS_SERVERS: given }, '/')).toThrow(SettingsError)
    expect(() => parseSettings({ DNS_SERVERS: given }, '/')).toThrow(/^DNS_SERVERS is invalid/)
  },
)
