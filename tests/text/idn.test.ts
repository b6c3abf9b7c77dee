/** Domain names of any script, in both forms. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { toAsciiDomain, toReadableDomain } from '@/lib/text/idn'

const names = [
  'münchen.de',
  'пример.рф',
  '例え.テスト',
  'παράδειγμα.gr',
  '한국.kr',
  'straße.example',
  'bücher.faß.at',
  'مثال.إختبار',
  'उदाहरण.भारत',
]

test.each(names)('%s has both forms, as Node’s own functions have them', (name) => {
  const ascii = toAsciiDomain(name)
  expect(ascii).toBe(domainToASCII(name))
  expect(toReadableDomain(ascii ?? '')).toBe(domainToUnicode(ascii ?? ''))
})

test('names in ASCII stay as they are', () => {
  for (const name of ['example.org', 'a-b.example', 'xn--', 'xn--.com', 'xn--ü.de', 'xn--a-b-c-.de', '', '127.0.0.1', 'xn--0']) {
    expect(toReadableDomain(name), name).toBe(name)
  }
  expect(toAsciiDomain(' Example.ORG ')).toBe('example.org')
  expect(toAsciiDomain('1.2')).toBe('1.2')
})

test('a label that mixes scripts, and so could imitate another one, stays punycode', () => {
  for (const name of ['pаypal.com', 'gооgle.com', 'εxample.org']) {
    const ascii = domainToASCII(name)
    expect(toReadableDomain(ascii), name).toBe(ascii)
  }
})

test('what is no domain name has no ASCII form', () => {
  for (const text of ['', ' ', 'a b.de', 'münchen.de/path', 'ü@b', 'ü:80', 'ü?x', 'ü#x', 'a%2eb', `${'ü'.repeat(300)}.de`])
    expect(toAsciiDomain(text), text).toBeNull()
})
