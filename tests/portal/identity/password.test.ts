import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '@/lib/portal/identity/password'
import { refusePassword } from '@/lib/portal/identity/password-rules'

test('a hash is argon2id with 64 MiB and three passes, and matches its own password only', async () => {
  const hash = await hashPassword('Vier Reiher stehen im Teich')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
  expect(await verifyPassword(hash, 'Vier Reiher stehen im Teich')).toBe(true)
  expect(await verifyPassword(hash, 'vier Reiher stehen im Teich')).toBe(false)
})

test('composed and decomposed characters make the same password', async () => {
  const hash = await hashPassword('Zwölf Möwen über Sylt')
  expect(await verifyPassword(hash, 'Zwölf Möwen über Sylt'.normalize('NFD'))).toBe(true)
})

test('without a stored hash no password is correct', async () => {
  expect(await verifyPassword(null, '')).toBe(false)
  expect(await verifyPassword(null, 'Vier Reiher stehen im Teich')).toBe(false)
})

test('of a hundred simultaneous requests a few are hashed, others wait, and the rest are refused', async () => {
  const tries = Array.from({ length: 100 }, () => verifyPassword(null, 'nobody'))
  const settled = await Promise.allSettled(tries)
  const turnedAway = settled.filter(({ status }) => status === 'rejected').length
  expect(turnedAway).toBeGreaterThanOrEqual(32)
  expect(turnedAway).toBeLessThan(40)
  expect(await verifyPassword(null, 'nobody')).toBe(false)
})

test.each([
  'short',
  'elevenchars',
  'a'.repeat(129),
  'aaaaaaaaaaaaaaaa',
  'abcabcabcabcabc',
  'password1234',
  'P@ssw0rd!2026',
  '2026.Adm1n1str4t0r!',
  'passwordpassword',
  'welcome-admin-2026',
  'qwertyuiop123',
  '1q2w3e4r5t6y',
  'poiuytrewqlkjh',
  '123456789012',
  'correct horse battery staple',
  'iloveyou!!!!',
  '2026-11-21-2027',
])('%j is no password', (password) => {
  expect(refusePassword(password)).toMatch(/\.$/)
})

test.each(['Vier Reiher stehen im Teich', 'xk7#pQ2vLm9z', '鷺が四羽池の中に立っている', 'tmobrdcwlxhz', `${'d'.repeat(60)}Vier Reiher`])(
  '%j will do',
  (password) => {
    expect(refusePassword(password)).toBeNull()
  },
)

test('a password made of known facts about the user is refused', () => {
  const about = ['Reiherteich GmbH', 'Ada Lovelace', 'ada.lovelace@example.org']
  expect(refusePassword('AdaLovelace1815', about)).not.toBeNull()
  expect(refusePassword('reiherteich-2026', about)).not.toBeNull()
  expect(refusePassword('AdaLovelace1815')).toBeNull()
})
