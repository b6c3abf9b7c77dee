import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actions, protocols, readRule } from '@/lib/firewall/rule'
import { createFirewall } from '@/lib/service/machines/firewall'
import { argumentsOf, idOf, listEntry, parseEntries, placeRule, renderEntry, renderText } from '@/lib/service/machines/ufw'

/** As on a Debian 13. */
const recorded = `*filter
:ufw-user-input - [0:0]
### RULES ###

### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in comment=535348
-A ufw-user-input -p tcp --dport 22 -j ACCEPT

### tuple ### allow udp 137,138 0.0.0.0/0 any 0.0.0.0/0 CIFS - in
### tuple ### limit tcp 2222 0.0.0.0/0 any 0.0.0.0/0 in
### tuple ### allow tcp 139,445 0.0.0.0/0 any 0.0.0.0/0 CIFS - in
### tuple ### deny any any 0.0.0.0/0 any 192.0.2.7 in
### tuple ### allow tcp 25 0.0.0.0/0 any 0.0.0.0/0 out
### tuple ### route:allow any any 0.0.0.0/0 any 0.0.0.0/0 in_eth0!out_eth1
### tuple ### allow_log tcp 81 0.0.0.0/0 any 0.0.0.0/0 in
### tuple ### allow esp any 0.0.0.0/0 any 10.0.0.1 in
### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 Apache%20Full - in
### tuple ### allow udp 67 10.0.0.5 68 0.0.0.0/0 in
### tuple ### broken
`

const recorded6 = `### tuple ### allow tcp 22 ::/0 any ::/0 in comment=535348
### tuple ### allow any any ::/0 any 2001:db8::1 in
`

test('UFW’s rules are listed in the words of the interface, and in UFW’s own if those cannot express them', () => {
  const entries = parseEntries(recorded, recorded6)
  const say = ({ action, port, protocol, from, v6 }: ReturnType<typeof listEntry>) =>
    `${action} | ${port}/${protocol} | ${from} ${v6}`.trim()
  expect(entries.map(listEntry).map(say)).toEqual([
    'allow | 22/tcp | any',
    'allow | CIFS/ | any',
    'limit | 2222/tcp | any',
    'deny | any/any | 192.0.2.7',
    'allow out | 25/tcp | any',
    'route allow | any on eth0 to eth1/any | any',
    'allow log | 81/tcp | any',
    'allow | any/esp | 10.0.0.1',
    'allow | Apache Full/ | any',
    'allow | 67 at 10.0.0.5/udp | any port 68',
    'allow | 22/tcp | any v6',
    'allow | any/any | 2001:db8::1 v6',
  ])
  expect(entries.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(entries.map(({ place }) => place)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12])
  expect(new Set(entries.map(idOf)).size).toBe(entries.length)
})

test('an id depends on a rule’s content, not on its position or comment, and each family has its own', () => {
  const [first] = parseEntries('### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in', '')
  const [, moved] = parseEntries(
    `### tuple ### deny tcp 23 0.0.0.0/0 any 0.0.0.0/0 in\n### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in comment=41`,
    '',
  )
  const [other] = parseEntries('### tuple ### deny tcp 22 0.0.0.0/0 any 0.0.0.0/0 in', '')
  const ids = [first, moved, other].map((entry) => entry && idOf(entry))
  expect(ids[0]).toBe(ids[1])
  expect(ids[0]).not.toBe(ids[2])
  expect(ids[0]).toMatch(/^v4-[\w-]{16}$/)
})

const words = fc.record({
  action: fc.constantFrom(...actions),
  protocol: fc.constantFrom(...protocols),
  port: fc.oneof(fc.constant('any'), fc.integer({ min: 1, max: 65_535 }).map(String)),
  from: fc.oneof(
    fc.constant('any'),
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 32 })).map(([a, b]) => `${a}/${b}`),
  ),
})

test('a rule in UFW’s format is read as the same rule, in each of its families', () => {
  fc.assert(
    fc.property(words, fc.stringMatching(/^([0-9a-f]{2}){0,6}$/), (given, comment) => {
      const rule = readRule(given)
      if (!rule) throw new Error(JSON.stringify(given))
      const placed = placeRule(rule, true)
      for (const family of placed.families) {
        const line = renderEntry({ text: renderText(placed.rule, family), comment })
        const [entry, ...rest] = parseEntries(family === 4 ? line : '', family === 6 ? line : '')
        expect(rest).toEqual([])
        expect(entry).toMatchObject({ family, comment, rule: placed.rule })
      }
    }),
  )
})

test('steps are arguments of ufw alone: no user input is passed on unchanged', () => {
  const rule = readRule({ action: 'Deny', protocol: 'TCP', port: '443,80', from: '10.1.2.3/8' })
  if (!rule) throw new Error('no rule')
  expect(argumentsOf({ kind: 'append', rule, families: [4] })).toEqual('deny proto tcp from 10.0.0.0/8 to any port 80,443'.split(' '))
  const insert = { kind: 'insert', rule: { ...rule, from: null }, family: 6, before: 7, comment: '53 53 48'.replaceAll(' ', '') } as const
  expect(argumentsOf(insert)).toEqual('insert 7 deny proto tcp from ::/0 to any port 80,443 comment SSH'.split(' '))
  expect(argumentsOf({ kind: 'append', rule: { ...rule, from: null, protocol: 'any', ports: null }, families: [4, 6] })).toEqual([
    'deny',
    'from',
    'any',
    'to',
    'any',
  ])
  expect(argumentsOf({ kind: 'delete', number: 3 })).toEqual(['--force', 'delete', '3'])
})

test('a refused login after a change is not blamed on the change alone if a limit rule may have refused it', async () => {
  const told = (rules: string) =>
    createFirewall({
      read: async () => ({ active: false, hasIpv6: true, rules: `### tuple ### ${rules}`, rules6: '', removed: '' }),
      change: async () => ({ kind: 'cut_off', undone: true }),
    })
      .toggle(true)
      .catch((error) => error.problem.sentence)
  expect(await told('allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in')).toMatch(/^With this change, .* It was undone\. Allow SSH first\.$/)
  expect(await told('limit tcp 22 0.0.0.0/0 any 0.0.0.0/0 in')).toMatch(
    /^After this change, .* It was undone\. .* limit rule .* 30 seconds/,
  )
})
