/** Domains of sites, as people write them and as servers know them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSiteName, firstAliases, readDomain } from '@/lib/service/site-names'
import { seededRuns } from '@/tests/support/seeds'

test.each([
  ['example.org', 'example.org'],
  ['  Example.ORG ', 'example.org'],
  ['żółw.example.org', 'xn--w-uga1v8h.example.org'],
  ['xn--w-uga1v8h.example.org', 'xn--w-uga1v8h.example.org'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['例え.jp', 'xn--r8jz45g.jp'],
  ['shop.test', 'shop.test'],
  ['1and1.example.org', '1and1.example.org'],
  ['example.co.uk', 'example.co.uk'],
  ['a.github.io', 'a.github.io'],
])('the domain %s is read as %s', (given, domain) => {
  expect(readDomain(given)).toEqual({ domain })
})

const refused: [given: string, why: RegExp][] = [
  ['example', /dot/],
  ['localhost', /dot/],
  ['co.uk', /public suffix/],
  ['github.io', /public suffix/],
  ['example.org.', /domain name/],
  ['.example.org', /domain name/],
  ['-a.example.org', /domain name/],
  ['a_b.example.org', /domain name/],
  ['*.example.org', /domain name/],
  ['a b.example.org', /domain name/],
  ['a/b.example.org', /domain name/],
  ['user@example.org', /domain name/],
  ['example.org:80', /domain name/],
  ['example.123', /domain name|address/],
  ['192.0.2.7', /address/],
  ['0x7f.1', /address/],
  ['1.2', /address/],
  ['2001:db8::1', /address/],
  ['[2001:db8::1]', /domain name|address/],
  ['xn--a.example.org', /domain name/],
  [`${'a'.repeat(64)}.example.org`, /domain name/],
  [`${'a.'.repeat(130)}org`, /domain name/],
]

test.each(refused)('%s is refused with a reason', (given, why) => {
  expect(readDomain(given)).toEqual({ refusal: expect.stringMatching(why) })
})

test('whatever is given, a domain that is read has only letters, digits, hyphens and dots, and is read again as itself', () => {
  const given = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.webAuthority())
  const property = fc.property(given, (text) => {
    const reading = readDomain(text)
    if ('refusal' in reading) return
    expect(reading.domain).toMatch(/^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/)
    expect(readDomain(reading.domain)).toEqual(reading)
  })
  fc.assert(property, { numRuns: seededRuns(500) })
})

test('the name on the server begins with a letter, has letters and digits only, and differs each time', () => {
  const domains = ['example.org', '1and1.example.org', '123.com', 'xn--r8jz45g.jp', 'www.shop.test', `${'a'.repeat(63)}.org`, '--.--']
  for (const domain of domains) expect(createSiteName(domain), domain).toMatch(/^[a-z][a-z0-9]{4,23}$/)
  expect(createSiteName('www.shop.test')).toMatch(/^shoptest[0-9a-f]{4}$/)
  expect(new Set(Array.from({ length: 20 }, () => createSiteName('example.org'))).size).toBeGreaterThan(15)
})

test('www. is added once', () => {
  expect(firstAliases('example.org', true)).toEqual(['www.example.org'])
  expect(firstAliases('www.example.org', true)).toEqual([])
  expect(firstAliases('example.org', false)).toEqual([])
})

test('no alias is made that would be too long for DNS', () => {
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`
  expect(readDomain(long)).toEqual({ domain: long })
  expect(firstAliases(long, true)).toEqual([`www.${long}`])
  const longest = `${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`
  expect(readDomain(longest)).toEqual({ domain: longest })
  expect(firstAliases(longest, true)).toEqual([])
})
