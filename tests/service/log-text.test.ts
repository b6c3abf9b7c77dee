import fc from 'fast-check'
import { expect, test } from 'vitest'
import { colour, harmlessLog } from '@/lib/contract/log-text'
import { isLogName, lastPart, logNames, maxLogBytes } from '@/lib/service/machines/logs'

test('colours, tabs and line ends stay; other control characters become symbols', () => {
  expect(harmlessLog('a\tb\r\nc\n\u001b[1;31mred\u001b[0m\u001b[2J\u001b]0;x\u0007')).toBe(
    'a\tb\nc\n\u001b[1;31mred\u001b[0m\u241b[2J\u241b]0;x\u2407',
  )
  expect(harmlessLog('\u0000\r\u007f\u009b31m\u202e\u2066\u2028')).toBe('\u2400\u240d\u2421\ufffd31m\ufffd\ufffd\ufffd')
  expect(harmlessLog('zażółć 🦊 👩‍🚒')).toBe('zażółć 🦊 👩‍🚒')
})

test('in any log, colours are the only control sequences left, and a second pass changes nothing', () => {
  const sign = fc.oneof(
    fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('\u001b[', '31', ';', 'm', '\u202e'),
  )
  fc.assert(
    fc.property(fc.string({ unit: sign }), (text) => {
      const clean = harmlessLog(text)
      expect(clean.replaceAll(colour, '')).not.toMatch(/[^\P{Cc}\t\n]|\u202e/u)
      expect(harmlessLog(clean)).toBe(clean)
    }),
    { numRuns: 500 },
  )
})

test('the last part begins with a whole line and never exceeds the limit', () => {
  expect(lastPart('one\ntwo')).toBe('one\ntwo')
  const text = `${'é'.repeat(30)}\n`.repeat(maxLogBytes / 40)
  const last = lastPart(text)
  expect(Buffer.byteLength(last)).toBeLessThanOrEqual(maxLogBytes)
  expect(text.endsWith(last) && last.startsWith('é'.repeat(30))).toBe(true)
  expect(lastPart(`${'x'.repeat(maxLogBytes)}\n`).length).toBe(maxLogBytes)
})

test('names are a closed list, and site logs need a valid domain', () => {
  expect(logNames.every(isLogName)).toBe(true)
  expect(['site:shop.example.test:access', 'site:xn--zka.test:error'].every(isLogName)).toBe(true)
  const others = [
    '',
    'AUTH',
    'site:',
    'site:a:access',
    'site:A.test:access',
    'site:a..test:error',
    'site:.a.test:error',
    `site:${'a.'.repeat(140)}test:error`,
  ]
  expect(others.filter(isLogName)).toEqual([])
})
