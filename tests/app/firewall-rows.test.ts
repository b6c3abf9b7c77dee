import { expect, test } from 'vitest'
import { allowsSsh, type FirewallRule, findRow, formatRuleSentence, rowsOf } from '@/app/(portal)/servers/[serverId]/firewall/rules'
import { fieldsOf } from '@/lib/firewall/listed'

let next = 0
/** `action port/protocol from`, of a service of our own kind. */
function rule(says: string, v6 = ''): FirewallRule {
  const [action = '', traffic = '', from = 'any'] = says.split(' ')
  const [port = '', protocol = ''] = traffic.split('/')
  next += 1
  return { id: String(next), action, port, protocol, from, v6 }
}
const both = (says: string) => [rule(says), rule(says, 'v6')]
/** As our service lists them: IPv4 first. */
const list = (...rules: FirewallRule[]) => [...rules.filter(({ v6 }) => v6 === ''), ...rules.filter(({ v6 }) => v6 !== '')]
const say = (rules: readonly FirewallRule[]) =>
  rowsOf(rules).map(({ families, rule: read, words }) => `${families}: ${formatRuleSentence(read, words)}`)

test('rules are sentences, and a rule for both families is one', () => {
  const rules = list(
    ...both('allow 22/tcp'),
    ...both('allow 80,443/tcp'),
    rule('allow 5432/tcp 10.0.0.0/8'),
    rule('deny any/any 2001:db8::/32', 'v6'),
    ...both('limit 2222/tcp'),
    rule('reject 23/any'),
    ...both('allow 6000:6007,9000/udp'),
    rule('deny any/tcp', 'v6'),
  )
  expect(say(rules)).toEqual([
    'both: Allow SSH from anywhere',
    'both: Allow HTTP and HTTPS from anywhere',
    'v4: Allow PostgreSQL from 10.0.0.0/8',
    'both: Rate-limit TCP port 2222 from anywhere',
    'v4: Refuse port 23 from anywhere',
    'both: Allow UDP ports 6000 to 6007 and 9000 from anywhere',
    'v6: Drop all traffic from 2001:db8::/32',
    'v6: Drop all traffic over TCP from anywhere',
  ])
})

test('another service’s words are understood; rules beyond the interface are shown in their own words', () => {
  const foreign = (action: string, port: string, from: string, v6 = ''): FirewallRule => ({
    id: '1',
    action,
    port,
    protocol: 'tcp',
    from,
    v6,
  })
  const rules = [
    foreign('ALLOW', '22', 'Anywhere'),
    foreign('ALLOW IN', '443', 'Anywhere'),
    foreign('ALLOW OUT', '25', 'Anywhere'),
    foreign('ALLOW', '22 (v6)', 'Anywhere (v6)', '1'),
  ]
  expect(say(rules)).toEqual(['both: Allow SSH from anywhere', 'v4: Allow HTTPS from anywhere', 'v4: ALLOW OUT 25/tcp from Anywhere'])
  const [ssh] = rowsOf(rules)
  expect(ssh && fieldsOf(ssh.rules, rules)).toEqual({ action: 'ALLOW', port: '22', protocol: 'tcp', from: 'Anywhere' })
})

test('ineffective rules are marked, a rule for both families only if neither half has an effect', () => {
  const rules = list(
    ...both('allow 80,443/tcp'),
    ...both('allow 443/tcp'),
    ...both('deny 80/tcp'),
    rule('deny 22/tcp 192.0.2.7'),
    ...both('allow 53/udp'),
  )
  const marks = rowsOf(rules).map(({ idle, rule: read, words }) => [formatRuleSentence(read, words), idle?.kind ?? null])
  expect(marks).toEqual([
    ['Allow HTTP and HTTPS from anywhere', null],
    ['Allow HTTPS from anywhere', 'duplicate'],
    ['Drop HTTP from anywhere', 'shadowed'],
    ['Drop SSH from 192.0.2.7', null],
    ['Allow UDP port 53 from anywhere', null],
  ])
  const half = list(rule('allow 443/tcp'), ...both('deny 443/tcp'))
  expect(rowsOf(half).map(({ idle }) => idle)).toEqual([null, null])
})

test('the undo of half a rule restores that family only; a whole rule, or one of a service without families, is restored as it was', () => {
  const rules = list(...both('allow 22/tcp'), rule('allow 80/tcp'), rule('allow 81/tcp', 'v6'), rule('allow 82/tcp 10.0.0.1'))
  expect(rowsOf(rules).map((row) => fieldsOf(row.rules, rules)?.from)).toEqual(['any', '0.0.0.0/0', '10.0.0.1', '::/0'])
  const alone = [rule('allow 80/tcp')]
  expect(rowsOf(alone).map((row) => fieldsOf(row.rules, alone)?.from)).toEqual(['any'])
})

test('a row is found by what it says, however that is written, and by nothing else', () => {
  const rows = rowsOf(list(...both('allow 80,443/tcp'), rule('deny any/any 10.0.0.0/8')))
  expect(findRow(rows, { action: 'ALLOW', port: '443,80', protocol: 'TCP', from: '' })).toBe(rows[0])
  expect(findRow(rows, { action: 'deny', port: 'any', protocol: 'any', from: '10.9.8.7/8' })).toBe(rows[1])
  expect(findRow(rows, { action: 'deny', port: '80,443', protocol: 'tcp', from: 'any' })).toBeUndefined()
  expect(findRow(rows, { action: 'x', port: 'x', protocol: 'x', from: 'x' })).toBeUndefined()
})

test('SSH counts as allowed if any rule allows it from anywhere', () => {
  const lets = (...rules: FirewallRule[]) => allowsSsh(rowsOf(rules), 22)
  expect([lets(rule('allow 22/tcp')), lets(rule('limit 20:30/tcp 10.0.0.0/8')), lets(rule('allow any/any')), lets()]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([lets(rule('deny 22/tcp')), lets(rule('allow 22/udp')), lets(rule('allow 2222/tcp'))]).toEqual([false, false, false])
})
