import { expect, test } from 'vitest'
import { createPassword } from '@/app/_shared/passwords/new-password-field'

test('passwords are of 20 signs that nobody confuses, each as likely as the others, and none comes twice', () => {
  const made = Array.from({ length: 5000 }, createPassword)
  expect(new Set(made).size).toBe(made.length)
  for (const password of made) expect(password).toMatch(/^[a-km-np-zA-HJ-NP-Z2-9]{20}$/)
  const counts = new Map<string, number>()
  for (const sign of made.join('')) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const expected = (made.length * 20) / counts.size
  // Six standard deviations: by chance once in some ten million runs.
  for (const [sign, count] of counts) expect([sign, Math.abs(count - expected) < 6 * Math.sqrt(expected)]).toEqual([sign, true])
  expect(counts.size).toBe(56)
})
