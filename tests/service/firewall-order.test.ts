/** The position of a new rule among existing ones, as UFW's own lines of both families. */
import { expect, test } from 'vitest'
import { type RuleWords, readRule } from '@/lib/firewall/rule'
import { createFirewall, type UfwState } from '@/lib/service/machines/firewall'
import { argumentsOf, idOf, type Step } from '@/lib/service/machines/ufw'

const line = (words: string) => `### tuple ### ${words}`

/** The ufw commands for saving a rule. */
async function stepsFor(words: Partial<RuleWords>, state: Partial<UfwState>, before: readonly string[] = []): Promise<string[]> {
  const rule = readRule({ action: 'deny', protocol: 'any', port: 'any', from: '203.0.113.5', ...words })
  if (!rule) throw new Error('no rule')
  let taken: readonly Step[] = []
  const firewall = createFirewall({
    read: async () => ({ active: true, hasIpv6: true, rules: '', rules6: '', removed: '', ...state }),
    change: async (_, { steps }) => {
      taken = steps
      return { kind: 'done' }
    },
  })
  await firewall.saveRule(rule, before)
  return taken.map((step) => argumentsOf(step).join(' '))
}

const anywhere = '0.0.0.0/0 any 0.0.0.0/0'
const web = line(`allow tcp 80,443 ${anywhere} in comment=776562`)
const other = line(`allow tcp 25 ${anywhere} out`)
const denied = 'deny from 203.0.113.5 to any'

test.each([
  ['a list of ports with a comment', web, 'insert 2'],
  ['a range, for a single port of it', line(`allow tcp 6000:6007 ${anywhere} in`), 'insert 2'],
  ['limit', line(`limit tcp 22 ${anywhere} in`), 'insert 2'],
  ['an application', line(`allow tcp 80,443 ${anywhere} Nginx%20Full - in`), 'insert 2'],
  ['one that is logged', line(`allow_log tcp 22 ${anywhere} in`), 'insert 2'],
  ['one of an interface', line(`allow any 53 ${anywhere} in_eth0`), 'insert 2'],
  ['the network that the source is in', line('allow any any 0.0.0.0/0 any 203.0.113.0/24 in'), 'insert 2'],
  ['the very source', line('allow tcp 22 0.0.0.0/0 any 203.0.113.5 in'), 'insert 2'],
  ['what goes out', line(`allow tcp 80 ${anywhere} out`), ''],
  ['what is routed', line(`route:allow any any ${anywhere} in_eth0!out_eth1`), ''],
  ['another source', line('allow any any 0.0.0.0/0 any 203.0.113.6 in'), ''],
  ['another refusal', line(`reject tcp 80 ${anywhere} in`), ''],
])('a deny from an address goes before rules that allow it: %s', async (_, rule, place) => {
  expect(await stepsFor({}, { rules: `${other}\n${rule}` })).toEqual([`${place} ${denied}`.trim()])
})

test('a deny of one port goes before rules that allow only that port, and IPv6 uses positions of IPv6 rules', async () => {
  const rules = [
    line(`allow tcp 22 ${anywhere} in`),
    line(`allow tcp 6000:6007 ${anywhere} in`),
    line(`allow udp 6003 ${anywhere} in`),
  ].join('\n')
  const words = { protocol: 'tcp', port: '6003' }
  expect(await stepsFor(words, { rules })).toEqual(['insert 2 deny proto tcp from 203.0.113.5 to any port 6003'])
  const rules6 = [line('allow tcp 22 ::/0 any ::/0 in'), line('allow any 6003 ::/0 any ::/0 in')].join('\n')
  expect(await stepsFor({ ...words, from: '2001:db8::5' }, { rules, rules6 })).toEqual([
    'insert 5 deny proto tcp from 2001:db8::5 to any port 6003',
  ])
})

test('an exception stays first, and a deny for everyone goes to the end', async () => {
  const rules = [line('allow tcp 22 0.0.0.0/0 any 203.0.113.7 in'), web].join('\n')
  expect(await stepsFor({ from: '203.0.113.0/24' }, { rules })).toEqual(['insert 2 deny from 203.0.113.0/24 to any'])
  expect(await stepsFor({ from: '0.0.0.0/0' }, { rules: web })).toEqual(['deny from 0.0.0.0/0 to any'])
})

test('if UFW cannot insert at a position, because applications are several lines, the rule goes to the front of its family', async () => {
  const cifs = ['allow udp 137,138 ::/0 any ::/0 CIFS - in', 'allow tcp 139,445 ::/0 any ::/0 CIFS - in']
  const rules6 = [...cifs, 'allow tcp 80 ::/0 any ::/0 in'].map(line).join('\n')
  const words = { protocol: 'tcp', port: '80', from: '2001:db8::5' }
  expect(await stepsFor(words, { rules6 })).toEqual(['prepend deny proto tcp from 2001:db8::5 to any port 80'])
})

test('UFW refuses a position behind its number of IPv4 rules for an IPv4 rule, however many IPv6 rules follow', async () => {
  const cifs = [`allow udp 137,138 ${anywhere} CIFS - in`, `allow tcp 139,445 ${anywhere} CIFS - in`]
  const rules = [...cifs, `allow tcp 80 ${anywhere} in`].map(line).join('\n')
  const rules6 = rules.replaceAll('0.0.0.0/0', '::/0')
  const words = { protocol: 'tcp', port: '80' }
  expect(await stepsFor(words, { rules, rules6 })).toEqual(['prepend deny proto tcp from 203.0.113.5 to any port 80'])
})

test('a restored deny returns to its position, but before newer rules that allow its source', async () => {
  const ssh = `allow tcp 22 ${anywhere} in`
  const webId = idOf({ family: 4, text: `allow tcp 80,443 ${anywhere} in` })
  expect(await stepsFor({}, { rules: line(ssh) }, ['end'])).toEqual([denied])
  expect(await stepsFor({}, { rules: `${line(ssh)}\n${web}` }, [webId])).toEqual([`insert 2 ${denied}`])
})
