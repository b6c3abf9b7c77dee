import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findIdle, isLetIn } from '@/lib/firewall/order'
import { formatPorts, parsePorts } from '@/lib/firewall/ports'
import { actions, formatRule, protocols, type Rule, readRule, ruleRefusals } from '@/lib/firewall/rule'
import { holds, parseFrom, parseSource } from '@/lib/firewall/source'

const rule = (action: string, port: string, protocol = 'tcp', from = 'any'): Rule => {
  const read = readRule({ action, port, protocol, from })
  if (!read) throw new Error(`${action} ${port} ${protocol} ${from}`)
  return read
}

test('a source is normalised as UFW does it: host bits cleared, IPv6 at its shortest, whole addresses without a length', () => {
  const read = (text: string) => parseSource(text)?.text
  expect(['10.1.2.3/8', '192.0.2.7/32', '192.0.2.7', '192.0.2.129/25', '0.0.0.0/0'].map(read)).toEqual([
    '10.0.0.0/8',
    '192.0.2.7',
    '192.0.2.7',
    '192.0.2.128/25',
    '0.0.0.0/0',
  ])
  expect(['2001:DB8:0:0::1', '2001:db8::ffff/33', '::/0', '::1/128'].map(read)).toEqual(['2001:db8::1', '2001:db8::/33', '::/0', '::1'])
  for (const text of [
    '',
    '10.0.0',
    '010.0.0.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '0x7f.1',
    'fe80::1%eth0',
    '::/129',
    'host',
    '-1',
    '1.2.3.4 ',
  ])
    expect([text, parseSource(text)]).toEqual([text, undefined])
  expect(['', 'any', 'Anywhere', 'Anywhere (v6)'].map(parseFrom)).toEqual([null, null, null, null])
})

test('ports are lists and ranges of what there is, sorted, at most fifteen numbers', () => {
  expect(['22', '443,80', '9,7:8,20', 'any', '', '1:65535'].map((text) => formatPorts(parsePorts(text) ?? null))).toEqual([
    '22',
    '80,443',
    '7:8,9,20',
    'any',
    'any',
    '1:65535',
  ])
  const fifteen = Array.from({ length: 15 }, (_, index) => index + 1).join(',')
  expect(parsePorts(fifteen)).toHaveLength(15)
  for (const text of ['0', '65536', '80,', ',80', '80 443', '8:7', '7:7', '080', '-1', '1:2:3', '80,80', `${fifteen},16`, 'http', '80/tcp'])
    expect([text, parsePorts(text)]).toEqual([text, undefined])
})

test('words that make no rule are refused by field, all at once; what others call a rule is read', () => {
  expect(Object.keys(ruleRefusals({ action: 'open', port: 'x', protocol: 'icmp', from: 'home' })).sort()).toEqual([
    'action',
    'from',
    'port',
    'protocol',
  ])
  expect(Object.keys(ruleRefusals({ action: 'allow', port: '80,443', protocol: 'any', from: 'any' }))).toEqual(['protocol'])
  expect(ruleRefusals({ action: 'allow', port: '80', protocol: 'any', from: 'any' })).toEqual({})
  expect(Object.keys(ruleRefusals({ action: 'allow', port: '', protocol: ' ', from: '\n' })).sort()).toEqual(['from', 'port', 'protocol'])
  expect(readRule({ action: 'ALLOW IN', port: '22', protocol: 'TCP', from: 'Anywhere' })).toEqual(rule('allow', '22'))
  expect(readRule({ action: 'allow out', port: '22', protocol: 'tcp', from: 'any' })).toBeNull()
})

const source = fc.oneof(
  fc.constant('any'),
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(fc.ipV6(), fc.nat(128)).map(([address, bits]) => `${address}/${bits}`),
)
const port = fc.integer({ min: 1, max: 65_535 })
const ports = fc.oneof(fc.constant('any'), fc.uniqueArray(port, { minLength: 1, maxLength: 15 }).map(String))
const words = fc.record({
  action: fc.constantFrom(...actions),
  protocol: fc.constantFrom(...protocols.filter((name) => name !== 'any')),
  port: ports,
  from: source,
})

test('reading what was written gives the same rule, and writing what was read the same words', () => {
  fc.assert(
    fc.property(words, (given) => {
      const read = readRule(given)
      expect(read).not.toBeNull()
      if (read === null) return
      expect(readRule(formatRule(read))).toEqual(read)
    }),
  )
})

test('a network holds itself and what lies in it, and nothing of the other family', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.nat(32), fc.nat(32), (address, one, other) => {
      const [wide, narrow] = [parseSource(`${address}/${Math.min(one, other)}`), parseSource(`${address}/${Math.max(one, other)}`)]
      expect(holds(wide ?? null, narrow ?? null)).toBe(true)
      expect(holds(narrow ?? null, wide ?? null)).toBe(one === other)
      expect(holds(parseSource('::/0') ?? null, narrow ?? null)).toBe(false)
    }),
  )
})

test('rules that do nothing are found: the same again, and those behind one that decides before them', () => {
  const rules = [
    rule('allow', '22'),
    rule('deny', '22', 'tcp', '192.0.2.7'),
    rule('allow', '80,443'),
    rule('allow', '443'),
    null,
    rule('deny', 'any', 'any', '10.0.0.0/8'),
    rule('allow', '5432', 'tcp', '10.1.0.0/16'),
    rule('allow', '53', 'udp'),
  ]
  expect(findIdle(rules)).toEqual([
    null,
    { kind: 'shadowed', by: 0 },
    null,
    { kind: 'duplicate', by: 2 },
    null,
    null,
    { kind: 'shadowed', by: 5 },
    null,
  ])
})

test('the first matching rule decides; without a match the connection is refused', () => {
  const rules = [rule('deny', '22', 'tcp', '192.0.2.0/24'), rule('limit', '22'), null, rule('allow', '53', 'udp')]
  const visit = (address: string, portNumber = 22, protocol: 'tcp' | 'udp' = 'tcp') =>
    isLetIn(rules, { protocol, port: portNumber, address })
  expect([
    visit('192.0.2.9'),
    visit('198.51.100.1'),
    visit('198.51.100.1', 23),
    visit('2001:db8::1'),
    visit('192.0.2.9', 53, 'udp'),
  ]).toEqual([false, true, false, true, true])
})
