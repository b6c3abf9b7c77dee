import { expect, test, vi } from 'vitest'
import { isKnownDevice, rememberDevice } from '@/lib/portal/identity/known-device'
import { createRecoveryLink, recoverAccount } from '@/lib/portal/identity/recovery'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, device, password } from './people'

const email = 'ada@example.org'
const enter = (given: string, peer: string, deviceToken: string | null) =>
  signInWithPassword({ email, password: given }, { ...device, peer }, { sid: null, deviceToken })

/** Guesses until the account and the peer have to wait. */
async function lockOut(peer: string): Promise<void> {
  for (let n = 0; n < 8; n += 1) await enter('a guess', peer, null)
  for (let n = 0; n < 20; n += 1) await signInWithPassword({ email: `nobody${n}@example.org`, password: 'x' }, { ...device, peer })
}

test('security 12: during a lock-out the owner can sign in on a known device, and nobody else can', async () => {
  await using _portal = await openPortalDatabase()
  const { userId } = await addPerson()
  const token = await rememberDevice(userId, null)
  await lockOut(device.peer)
  expect(await enter(password, device.peer, null)).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(await enter(password, device.peer, 'A'.repeat(43))).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(await enter(password, device.peer, token)).toMatchObject({ ok: true })
  // The owner's success gives those who guess nothing.
  expect(await enter(password, '192.0.2.200', null)).toMatchObject({ ok: false, problem: { code: 'too_many' } })
})

test('security 12: a known device has five attempts too, and is known only for users who signed in on it', async () => {
  await using portal = await openPortalDatabase()
  const { userId } = await addPerson()
  const other = await addPerson({ email: 'bea@example.org' })
  const token = await rememberDevice(userId, null)
  for (let n = 0; n < 5; n += 1) expect(await enter('a guess', device.peer, token)).toMatchObject({ problem: { code: 'invalid' } })
  expect(await enter(password, device.peer, token)).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(await isKnownDevice(other.email, token)).toBe(false)
  // What guesses made by a thief of the cookie cost, the owner elsewhere does not pay.
  expect(await enter(password, device.peer, null)).toMatchObject({ ok: true })
  expect(JSON.stringify([await portal.db.knownDevice.findMany(), await portal.db.signInThrottle.findMany()])).not.toContain(token)
})

test('a device gets a new token at each sign-in, stays known for all its users, and the old token is worthless', async () => {
  await using _portal = await openPortalDatabase()
  const [ada, bea] = [await addPerson(), await addPerson({ email: 'bea@example.org' })]
  const first = await rememberDevice(ada.userId, null)
  const second = await rememberDevice(bea.userId, first)
  expect(await isKnownDevice(ada.email, first)).toBe(false)
  for (const person of [ada, bea]) expect(await isKnownDevice(person.email, second)).toBe(true)
  for (const odd of ['', '*', second.toUpperCase(), null]) expect(await isKnownDevice(ada.email, odd)).toBe(false)
})

test('a user has at most twenty known devices; one unused for 400 days, or from before a recovery, is unknown', async () => {
  await using portal = await openPortalDatabase()
  const { userId } = await addPerson()
  using clock = { [Symbol.dispose]: () => vi.useRealTimers() }
  vi.useFakeTimers({ toFake: ['Date'] })
  const tokens: string[] = []
  for (let n = 0; n < 22; n += 1) {
    vi.setSystemTime(Date.now() + 1000)
    tokens.push(await rememberDevice(userId, null))
  }
  const known = await Promise.all(tokens.map((token) => isKnownDevice(email, token)))
  expect(known).toEqual(tokens.map((_, n) => n >= 2))
  vi.setSystemTime(Date.now() + 401 * 24 * 60 * 60_000)
  expect(await isKnownDevice(email, tokens.at(-1) ?? null)).toBe(false)
  clock[Symbol.dispose]()
  const link = new URL((await createRecoveryLink(email)) ?? 'missing:').searchParams.get('token') ?? ''
  expect(await recoverAccount(link, 'Fünf Störche fliegen fort', device)).toMatchObject({ ok: true })
  expect(await portal.db.knownDevice.count()).toBe(0)
})
