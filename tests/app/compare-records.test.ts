/** Whether the records of a site's domain are as its server expects. */
import { expect, test } from 'vitest'
import { compareRecords, tellsRecords, wordForNone } from '@/app/(portal)/sites/[siteId]/dns-records'

const expected = { A: '192.0.2.7', MX: 'server.example.org' }

test('records are compared with what the server expects; without an expectation there is no result', () => {
  const results = (found: { A: string; MX: string }, wanted = expected) => compareRecords(found, wanted).map(({ result }) => result)
  expect(results({ A: '198.51.100.7, 192.0.2.7', MX: '10 Server.example.org.' })).toEqual(['match', 'match'])
  expect(results({ A: '198.51.100.7', MX: '' })).toEqual(['differ', 'missing'])
  expect(results({ A: '192.0.2.7', MX: 'mail.example.org' }, { A: '', MX: '' })).toEqual([null, null])
})

test('the record MX is judged once, by the service, which knows the addresses of mail servers', () => {
  const found = { A: '192.0.2.7', MX: 'other-name.example.org' }
  const judged = (state: 'ready' | 'missing' | 'different') =>
    compareRecords(found, expected, [{ type: 'MX', expected: 'other-name.example.org', found: 'other-name.example.org', state }])[1]
  expect(compareRecords(found, expected)[1]?.result).toBe('differ')
  expect(judged('ready')).toEqual({
    type: 'MX',
    found: 'other-name.example.org',
    expected: 'other-name.example.org',
    result: 'match',
  })
  expect(judged('different')?.result).toBe('differ')
  expect(judged('missing')?.result).toBe('missing')
})

test('a record that no service reported is not known, and one that it reported empty is nothing', () => {
  expect(wordForNone(undefined)).toBe('Not known')
  expect(wordForNone({ dns: { A: '', MX: '' } })).toBe('Nothing')
})

test('a foreign service that names neither record tells nothing of DNS, and one with extensions that there is none', () => {
  expect(tellsRecords({ A: '', MX: ' ' }, true)).toBe(false)
  expect(tellsRecords({ A: '', MX: 'mail.example.org' }, true)).toBe(true)
  expect(tellsRecords({ A: '', MX: '' }, false)).toBe(true)
})
