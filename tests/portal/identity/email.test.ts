import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseEmail, parseEmail } from '@/lib/portal/identity/email'
import { seededRuns } from '../../support/seeds'

test.each([
  ['Ada@Example.ORG', 'ada@example.org'],
  ['  ada@example.org ', 'ada@example.org'],
  ['ａｄａ@example.org', 'ada@example.org'],
  ['ada+portal@mail.example.org', 'ada+portal@mail.example.org'],
  ['root@localhost', 'root@localhost'],
])('%j is kept as %j', (typed, kept) => {
  expect(parseEmail(typed)).toBe(kept)
})

test.each([
  'ada＠example.org',
  'ada@evil.org＠example.org',
  'ada@@example.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@exam\0ple.org',
  'ada @example.org',
  'ada@example.org.',
  'ada@-example.org',
  '"ada"@example.org',
  'аda@example.org',
  `${'a'.repeat(250)}@example.org`,
  '@example.org',
  '',
])('the odd address %j is refused', (typed) => {
  expect(parseEmail(typed)).toBeNull()
})

test('an accepted address is accepted again in its stored form, whatever was typed', () => {
  const typed = fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(typed, (text) => {
      const kept = parseEmail(text)
      return kept === null || (parseEmail(kept) === kept && normaliseEmail(text) === kept)
    }),
    { numRuns: seededRuns(2000) },
  )
})
