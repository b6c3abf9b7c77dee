/** Which domain names there are, the same on every version of Node. */
import { expect, test } from 'vitest'
import { isSameDomain, toAsciiDomain } from '@/lib/text/ascii-domain'

test.each([
  ['example.org', 'example.org'],
  [' Example.ORG ', 'example.org'],
  ['München.de', 'xn--mnchen-3ya.de'],
  ['xn--MNCHEN-3ya.de', 'xn--mnchen-3ya.de'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['例え。jp', 'xn--r8jz45g.jp'],
  ['مثال.إختبار', 'xn--mgbh0fb.xn--kgbechtv'],
  ['１and１.example', '1and1.example'],
  ['_dmarc.example.org', '_dmarc.example.org'],
  ['1.2', '1.2'],
])('%s is %s', (typed, ascii) => {
  expect(toAsciiDomain(typed)).toBe(ascii)
})

test.each([
  [
    'punycode that stands for nothing',
    ['xn--', 'xn--a', 'xn--a.example.org', 'xn--0', 'a.xn--a', 'xn--999999999.com', 'xn--cafe-dma.fr', 'xn--a-.org'],
  ],
  ['punycode that stands for another name', ['xn--xn---epa.de', 'xn--MNCHEN-3yA.xn--a']],
  ['punycode with other letters', ['xn--ü.de', 'xn--a-ä.org']],
  ['digits that read from the right at the beginning', ['٣.org', '1٣.org']],
  ['directions that are mixed', ['אab.org']],
  ['a mark or a joiner without a letter', ['\u0301a.org', 'a\u200db.org', 'a\u200cb.org']],
  ['what is no name', ['', ' ', 'a b.de', 'münchen.de/path', 'ü@b', 'ü:80', 'ü?x', 'ü#x', 'a%2eb', '[::1]', `${'ü'.repeat(300)}.de`]],
])('%s is refused', (_, names) => {
  for (const name of names) expect(toAsciiDomain(name), name).toBeNull()
})

test('names are compared in one form', () => {
  expect(isSameDomain('München.de', 'xn--mnchen-3ya.de')).toBe(true)
  expect(isSameDomain('a.example', 'A.example')).toBe(true)
  expect(isSameDomain('a.example', 'b.example')).toBe(false)
  expect(isSameDomain('xn--a.example', 'xn--a.example')).toBe(true)
})
