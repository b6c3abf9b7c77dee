/** The limits of request fields: what keeps within them, and what is said of the rest. */
import { expect, test } from 'vitest'
import {
  accountName,
  accountPassword,
  cronTime,
  hostKey,
  hostname,
  listedAccount,
  loginSecret,
  note,
  port,
  ruleAction,
  serverName,
} from '@/lib/contract/fields'
import { contract } from '@/lib/contract/index'
import { applyLimits, limitRefusal } from '@/lib/contract/limits'

const long = (count: number) => 'x'.repeat(count)

test.each([
  ['a name', serverName, ['web', ` ${long(98)} `, 'żółw 😀'], ['', '  ', long(101), 'two\nlines'], /at most 100 printable characters/],
  ['a note', note, ['', '  ', long(100)], [long(101), 'tab\there'], /at most 100 printable characters/],
  ['a host name', hostname, ['web', 'web-1.example.org', long(63)], ['', 'a b', '-a', '10.0.0.1', long(64), 'Web'], /letters, digits/],
  ['an account', accountName, ['root', '_a.b-c', long(32)], ['', 'a b', '-l', '1a', long(33)], /name of a system user/],
  [
    'a user of a list',
    listedAccount,
    ['root', 'jürgen', 'Max.Muster', '1a', 'a+b$', long(256)],
    ['', 'a b', '-l', '+x', 'a/b', 'a:b', 'a\nb', long(257)],
    /as the list has it/,
  ],
  ['a port', port, ['1', '22', '65535'], ['', '0', '022', '65536', '22x', '-1', '1e3'], /^Enter a number from 1 to 65535\.$/],
  ['a time', cronTime, ['', '*', '*/5', '@daily', '1,2-3'], ['@', '1;2', '@@a', long(101)], /a list, a range or a step/],
  ['an action', ruleAction, ['allow', 'limit'], ['', 'open'], /^Enter allow, deny, reject or limit\.$/],
  ['a host key', hostKey, ['ask', `SHA256:${'A'.repeat(43)}`], ['', 'yes', `SHA256:${'A'.repeat(44)}`], /ssh-keygen/],
] as const)('%s', (_what, limits, fitting, others, why) => {
  for (const value of fitting) expect([value, limitRefusal(limits, value)]).toEqual([value, null])
  for (const value of others) expect(limitRefusal(limits, value), value).toMatch(why)
})

test('each limit that a password breaks has a sentence of its own; its length is counted as people count', () => {
  const said = (password: string) => limitRefusal(accountPassword, password)
  expect(said('eight 88')).toBeNull()
  expect(said('😀'.repeat(7))).toBe('Enter at least 8 characters.')
  expect(said('😀'.repeat(8))).toBeNull()
  expect(said('ż'.repeat(251))).toBe('Enter at most 500 bytes.')
  expect(said('two\nlines')).toBe('A password must be one line without control characters.')
  expect(limitRefusal(loginSecret, '')).toMatch(/^Enter the user’s password/)
  expect(limitRefusal(loginSecret, long(16_385))).toBe('This is too long.')
})

const login = { provider: 'ssh', dns: '', name: 'web', host: ' 192.0.2.1 ', user: 'root', pass: 'p', port: '22', region: '', type: '' }

test('an input is read and refused field by field, all at once', () => {
  expect(applyLimits(contract.servers.create, login)).toEqual({ input: { ...login, host: '192.0.2.1' }, refusals: {} })
  const { refusals } = applyLimits(contract.servers.create, { ...login, provider: 'cloud', port: '0', pass: '' })
  expect(Object.keys(refusals).sort()).toEqual(['pass', 'port', 'provider'])
  expect(applyLimits(contract.servers.setHostname, { server_id: '1', hostname: ' Web-1 ' }).input).toEqual({
    server_id: '1',
    hostname: 'web-1',
  })
})

test('what is not used while a call only asks may still be open; the rest is looked at', () => {
  const asking = { ...login, host_key: 'ask', name: '', user: '', pass: '' }
  expect(applyLimits(contract.servers.create, asking).refusals).toEqual({})
  expect(Object.keys(applyLimits(contract.servers.create, { ...asking, port: '0' }).refusals)).toEqual(['port'])
  expect(Object.keys(applyLimits(contract.servers.create, { ...asking, host_key: `SHA256:${'A'.repeat(43)}` }).refusals)).toHaveLength(3)
})

// A rule that tries again from each place of a text does not come to an end here.
test.each(['a'.repeat(1_000_000), `${' '.repeat(1_000_000)}\n`, 'a.'.repeat(500_000)])('a long text is refused: %.10s…', (text) => {
  for (const limits of [serverName, hostname, accountName, accountPassword, cronTime]) expect(limitRefusal(limits, text)).not.toBeNull()
})

test('the flag that is a text takes the words of flags', () => {
  const { configure } = contract.sites
  const read = (www_redirect: string) => {
    const input = { site_id: 's', php: '8.2', upload_limit: '64', memory_limit: '256', folder: '', www_redirect }
    const { input: read, refusals } = applyLimits(configure, input)
    return refusals.www_redirect ?? read.www_redirect
  }
  expect(['1', 'true', 'True', '0', 'FALSE'].map(read)).toEqual(['1', '1', '1', '0', '0'])
  expect(read('yes')).toMatch(/number/)
})
