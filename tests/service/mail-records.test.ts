/** Which records of DNS mail needs, and whether those that are there will do. */
import { expect, test } from 'vitest'
import { describeRecords, findElsewhere, type MailFindings } from '@/lib/service/mail-records'

const facts = { domain: 'one.test', hostname: 'mail.lab.test', ip: '192.0.2.7', key: 'MIIB+/key=' }
const here = { name: 'mail.lab.test', addresses: ['192.0.2.7'] }
const away = { name: 'mx.away.test', addresses: ['198.51.100.7'] }
const nothing: MailFindings = { servers: [], txt: [], key: [], policy: [], names: [] }

const recordOf = (type: string, found: Partial<MailFindings>, given = facts) =>
  describeRecords({ ...nothing, ...found }, given).find((record) => record.type === type)

test('nothing is there: each record is missing, with what to copy and why it matters', () => {
  const records = describeRecords(nothing, facts)
  expect(records.map(({ type, name, expected, found, state }) => [type, name, expected, found, state])).toEqual([
    ['MX', 'one.test', '10 mail.lab.test.', '', 'missing'],
    ['SPF', 'one.test', 'v=spf1 mx ip4:192.0.2.7 ~all', '', 'missing'],
    ['DKIM', 'gatehouse._domainkey.one.test', 'v=DKIM1; k=rsa; p=MIIB+/key=', '', 'missing'],
    ['DMARC', '_dmarc.one.test', 'v=DMARC1; p=none', '', 'missing'],
    ['PTR', '192.0.2.7', 'mail.lab.test', '', 'missing'],
  ])
  for (const { reason } of records) expect(reason).toMatch(/^[A-Z].*\.$/)
})

test('what the resolver did not answer is left out, because absence would mean something else', () => {
  expect(describeRecords({ servers: null, txt: null, key: null, policy: null, names: null }, facts)).toEqual([])
})

test('everything is as it should be', () => {
  const found: MailFindings = {
    servers: [here, away],
    txt: ['google-site-verification=x', 'v=spf1 include:x.test mx -all'],
    key: ['v=DKIM1; k=rsa; p=MIIB+/ key='],
    policy: ['v=DMARC1; p=reject'],
    names: ['MAIL.lab.test.'],
  }
  expect(describeRecords(found, facts).map(({ state, reason }) => [state, reason])).toEqual(Array(5).fill(['ready', '']))
})

test.each([
  [[], ''],
  [[here], ''],
  [[{ name: 'Mail.Lab.test', addresses: [] }], ''],
  [[{ name: 'other-name.test', addresses: ['192.0.2.7'] }], ''],
  [[away, here], 'mx.away.test'],
  [null, null],
])('the preferred of the mail servers %j decides where mail goes', (servers, expected) => {
  expect(findElsewhere({ ...nothing, servers }, facts)).toBe(expected)
})

test('another name of this server is ready as MX and is not asked to be changed; one of another server is', () => {
  const alsoHere = { name: 'other-name.test', addresses: ['192.0.2.7'] }
  expect(recordOf('MX', { servers: [alsoHere] })).toMatchObject({ state: 'ready', found: 'other-name.test', expected: 'other-name.test' })
  expect(recordOf('MX', { servers: [away, here] })).toMatchObject({ state: 'different', expected: '10 mail.lab.test.' })
})

test.each([
  ['v=spf1 mx -all', [here], 'ready'],
  ['v=spf1 mx -all', [away], 'different'],
  ['v=spf1 +ip4:192.0.2.7 ?all', [away], 'ready'],
  ['V=SPF1 a:mail.lab.test -all', [], 'ready'],
  ['v=spf1 ip4:192.0.2.70 -all', [here], 'different'],
  ['v=spf1 -mx -all', [here], 'different'],
])('of SPF, “%s” with the mail servers %j is %s', (text, servers, state) => {
  const record = recordOf('SPF', { txt: [text], servers })
  expect(record).toMatchObject({ found: text, state })
  // What is to be copied keeps the rest.
  if (state === 'different') expect(record?.expected).toBe(text.replace('v=spf1', 'v=spf1 ip4:192.0.2.7'))
})

test('several records of a kind of which only one may be there are not ready', () => {
  expect(recordOf('SPF', { txt: ['v=spf1 mx -all', 'v=spf1 -all'], servers: [here] })).toMatchObject({ state: 'different' })
  expect(recordOf('DMARC', { policy: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] })).toMatchObject({ state: 'different' })
})

test('before there is a key, no record of it can be copied; another key is different', () => {
  expect(recordOf('DKIM', {}, { ...facts, key: '' })).toMatchObject({ expected: '', state: 'missing' })
  expect(recordOf('DKIM', { key: ['v=DKIM1; p=other'] })).toMatchObject({ state: 'different' })
})
